// What each dialect is, and the first lines to try it with by hand. Every line here has been
// said to a server and was answered; the rest of each language is on its page in the docs.

export interface Step {
  /** What to do, for people. */
  say: string;
  /** What to paste, line by line; tabs are tabs. */
  lines: string[];
  /** How the server answers, shortened. */
  answer: string[];
}

export interface Dialect {
  name: string;
  about: string;
  plays: string;
  steps: Step[];
}

/** The first lines of native where the server has no bots to sit down with. */
export const NATIVE_ALONE: Step = {
  say: "Say who you are, and open a table; somebody else has to sit down, here in the lobby for instance:",
  lines: ['{"type":"hello","version":1,"name":"Ann"}', '{"type":"open","variant":"tictactoe"}'],
  answer: ['{"type":"hello","version":1,"server":"Rookery …","player":7,"name":"Ann","token":"…","tables":[]}', '{"type":"done","table":12,"seat":0}'],
};

export const DIALECTS: readonly Dialect[] = [
  {
    name: "native",
    about: "JSON lines for everything the server can do. Without a reason to speak one of the old languages, speak this one; this page does.",
    plays: "every game",
    steps: [
      {
        say: "Say who you are, and open a table with a bot of level 2:",
        lines: ['{"type":"hello","version":1,"name":"Ann"}', '{"type":"open","variant":"tictactoe","house":2}'],
        answer: [
          '{"type":"hello","version":1,"server":"Rookery …","player":7,"name":"Ann","token":"…","tables":[]}',
          '{"type":"done","table":12,"seat":0}',
          '{"type":"news","table":12,"n":5,… "event":{"type":"started"},…',
        ],
      },
      {
        say: "Play in the middle; put the number of your table in place of 12:",
        lines: ['{"type":"play","table":12,"move":"4"}'],
        answer: ['{"type":"done","table":12,"seat":0}', '{"type":"news","table":12,"n":6,… "event":{"type":"played","seat":0,"move":"4",…'],
      },
    ],
  },
  {
    name: "othello",
    about: "Seven frames, as text lines or in binary: sign on, get a colour, play. No names, no lobby.",
    plays: "reversi on 8×8",
    steps: [
      {
        say: "Sign on, and wait for a colour (1 black, 2 white) and the board:",
        lines: ["1"],
        answer: ["11", "400000000000000000000000000021000000120000000000000000000000000001"],
      },
      { say: "As black, play column 4, row 5:", lines: ["245"], answer: ["400000000000000000000000000021000000110000000100000000000000000002"] },
    ],
  },
  {
    name: "blackwhite",
    about: "Words with brackets, in rooms: two play, and everyone else in the room sees the same.",
    plays: "reversi on 10×10",
    steps: [
      { say: "Come in; the second who does starts the game:", lines: ["ENTERROOM [ann]"], answer: ["ENTERROOM [ann]", "ASSIGN [BLACK]", "TURN [ann]"] },
      { say: "As black, play:", lines: ["PLAYBLACK [5,6]"], answer: ["PLAYBLACK [5,6]", "REVERSETOBLACK [5,5]", "TURN [bob]"] },
    ],
  },
  {
    name: "bughouse",
    about: "A verb and numbers, with tabs between: four players, two boards, and a lobby in which games are made.",
    plays: "bughouse",
    steps: [
      { say: "Take a name; the answer is your number. Then see which games there are:", lines: ["ADD_PLAYER:Ann", "GET_GAMES:m"], answer: ["1", "(the games’ numbers, or an empty line)"] },
      { say: "Create a game; put your own number in place of 1:", lines: ["CREATE_GAME:1"], answer: ["1", "(later, when somebody joins it: BROADCAST:JOIN_GAME:2 1)"] },
    ],
  },
  {
    name: "fish",
    about: "JSON lines for penguins on melting ice: the referee asks, and you answer in time.",
    plays: "fish",
    steps: [
      {
        say: "Join, and wait: the game is the answer.",
        lines: ['{"type":"joinGame","age":8,"id":"ann"}'],
        answer: ['{"type":"SendGameState","state":{"phase":"place","players":[…],"board":[…]}}', '{"type":"AssignColor","color":"red","turn":0,"penguinCount":4}', '{"type":"RequestPlacement"}'],
      },
      { say: "After RequestPlacement, within 30 seconds:", lines: ['{"type":"PlaceAvatar","x":0,"y":0}'], answer: ['{"type":"SendGameState",…}'] },
    ],
  },
  {
    name: "fishcom",
    about: "Bare JSON values without lines: the server calls, and you answer within a second. It is for programs; by hand one is too slow.",
    plays: "fish",
    steps: [{ say: "Say your name, and wait for the first call. It comes once enough have signed up:", lines: ['"ann"'], answer: ['["start",[true]]'] }],
  },
  {
    name: "tourney",
    about: "Lines cut at colons, for bots that join a tournament and meet everyone else in it twice.",
    plays: "tictactoe, nim, guess and reversi",
    steps: [
      {
        say: "Become a player, take a name, and join the first tournament there is:",
        lines: ["@NEW PLAYER", "@NAME:Ann", "@PING", "@TOUR:JOIN"],
        answer: ["@PID:1", "@PONG", "@MESSAGE:Tournament 1 successfully joined."],
      },
    ],
  },
];
