// The words of the server: what the native dialect and the API say, as far as the page reads it.
// Times are microseconds, seats count from 0. Written by web/wire.py from the server's own types:
// what is changed here is lost at the next `make page`.

/** A board as a viewer may see it, in its game's own words. */
export interface View {
  type: string;
}

/** What a move did besides, likewise. */
export interface Effect {
  type: string;
  [field: string]: unknown;
}

/** A table at a glance. */
export interface TableLine {
  table: number;
  variant: string;
  time: string;
  status: Status;
  seats: SeatLine[];
  n: number;
  outcome: Outcome | null;
  tour: number | null;
}

/** Where a table is in its life. */
export type Status = "open" | "playing" | "over" | "closed";

/** Who sits where. */
export interface SeatLine {
  seat: number;
  name: string;
  player: number | null;
  player_name: string;
  connected: boolean;
  bot?: boolean;
}

/** How a game ended. */
export interface Outcome {
  places: number[];
  how: string;
  reason: string;
  scores: number[] | null;
}

/** Event n of a table, what it did, and how things stood right after it. */
export interface Moment {
  n: number;
  at: number;
  event: TableEvent;
  effects: Effect[];
  to_act: number[];
  left: number[] | null;
  view: View | null;
  said?: string;
}

export type TableEvent = Opened | Sat | Left | Owned | Swapped | Started | TakenOver | Played | Erred | DrawOffered | DrawDeclined | TakebackAsked | TakebackDeclined | TakenBack | Out | Ended | Closed | Said | RematchWished | Rematched;

/** A table stands: which game, for how many, with what clock and policies. */
export interface Opened {
  type: "opened";
  variant: string;
  rules: number;
  seats: number;
  time: string;
  policy: Policy;
  by?: number | null;
  room?: string;
  tour?: number | null;
  house?: number | null;
  kept?: number;
  package?: string;
  secret?: boolean;
  takebacks?: boolean;
  private?: boolean;
  unrated?: boolean;
}

/** All of a table's policies. */
export interface Policy {
  begin: Begin;
  gone: Gone;
  grace: number;
  errors: Errors;
  only: string;
}

/** When a game starts. */
export type Begin = "full" | "owner";

/** What becomes of a seat whose player is away; after a restart everyone has the grace first. */
export type Gone = "forfeit" | "hold" | "at_once" | "takeover";

/** How many illegal moves cost a seat the game; 0 is any number for free, 1 the first. */
export interface Errors {
  limit: number;
  in_a_row: boolean;
  out_of_turn: boolean;
}

/** A player took a seat. */
export interface Sat {
  type: "sat";
  seat: number;
  player: number;
  name: string;
}

/** A seat was given up before the start. */
export interface Left {
  type: "left";
  seat: number;
  player: number;
}

/** The table's owner went before the start, and it is this player's now. */
export interface Owned {
  type: "owned";
  player: number;
}

/** The players of two seats changed places before the start. */
export interface Swapped {
  type: "swapped";
  one: number;
  other: number;
}

/** The game began. */
export interface Started {
  type: "started";
}

/** A seat's player was gone for too long, and somebody else plays on for it. */
export interface TakenOver {
  type: "taken_over";
  seat: number;
  player: number;
  name: string;
}

/** A move, and the time it was charged. */
export interface Played {
  type: "played";
  seat: number;
  move: string;
  spent: number;
}

/** An illegal move that counts against its seat. */
export interface Erred {
  type: "erred";
  seat: number;
  code: string;
}

/** A seat would take a draw; a second side's offer is its yes. */
export interface DrawOffered {
  type: "draw_offered";
  seat: number;
}

/** A seat would not. */
export interface DrawDeclined {
  type: "draw_declined";
  seat: number;
}

/** A seat would have its last move back; the other's asking is its yes. */
export interface TakebackAsked {
  type: "takeback_asked";
  seat: number;
}

/** A seat would not. */
export interface TakebackDeclined {
  type: "takeback_declined";
  seat: number;
}

/** So many moves never were, at this seat's wish: it is to move again. */
export interface TakenBack {
  type: "taken_back";
  seat: number;
  plies: number;
  thought: number[];
}

/** A seat is out, and why; some games play on without it. */
export interface Out {
  type: "out";
  seat: number;
  why: Forfeit;
  spent: number;
}

/** Why a seat lost without being beaten on the board. */
export type Forfeit = "resigned" | "late" | "cheated" | "gone";

/** The game is over. */
export interface Ended {
  type: "ended";
  outcome: Outcome;
}

/** The table went before its game began: nobody was left at it, or the organiser closed it. */
export interface Closed {
  type: "closed";
  reason?: string;
}

/** Somebody said something at the table. */
export interface Said {
  type: "said";
  player: number;
  name: string;
  text: string;
  team: number | null;
}

/** A seat would play again. */
export interface RematchWished {
  type: "rematch_wished";
  seat: number;
}

/** Everyone would: it goes on at another table. */
export interface Rematched {
  type: "rematched";
  table: number;
}

/** Event n of a table, what it did, whose turn it is now, and what each has left. */
export interface TableNews {
  type: "news";
  table: number;
  n: number;
  at: number;
  event: TableEvent;
  effects: Effect[];
  to_act: number[];
  left: number[] | null;
  view: View | null;
}

/** The server speaks: it is going down, cannot write, or a player is another's now. */
export interface Notice {
  type: "notice";
  code: string;
  sentence: string;
  player: number | null;
}

/** It is not done, and nothing changed. `code` is for programs, the sentence for people. */
export interface Refused {
  type: "refused";
  code: string;
  sentence: string;
  table: number | null;
}

/** A game, how it is shown, and what its players may do. */
export interface GameLine {
  name: string;
  seats: number[];
  options: GameOption[];
  about: string;
  draws: boolean;
  teams: boolean;
  secret: boolean;
  together: boolean;
  noted: boolean;
  plays_on: boolean;
  seat_names: string[];
  sides: number[][];
  hints: boolean;
  thinking: "own" | "random" | "search";
  shown: Showing;
}

/** One option of a game, for a person who wants to set it. */
export interface GameOption {
  name: string;
  kind: string;
  default: string;
  description: string;
}

/** One game, for people. Whatever is not said is made of what the rules say. */
export interface Showing {
  title: string;
  about: string;
  icon: string;
  board: DeclaredBoard;
  boards: 1 | 2;
  colours: ("black" | "blue" | "brown" | "green" | "grey" | "orange" | "purple" | "red" | "white" | "yellow")[];
  scores: string;
  unit: string;
  phases: Record<string, string>;
  notes: Record<string, string>;
  offers: string[];
  words: Record<string, string>;
  usual: string;
}

export type DeclaredBoard = Grid | HexGrid | Heaps | TextBoard;

/** Squares. The field has rows of characters or of values, or all of them in one row. */
export interface Grid {
  type: "grid";
  cells: string;
  pieces: Record<string, number | Piece>;
  names: string;
  click: string | string[];
  rows: number | string | null;
  cols: number | string | null;
  surface: "checks" | "cloth" | "holes" | "lines" | "plain";
  turned: boolean;
}

/** What stands in a cell: whose it is, and how it looks. */
export interface Piece {
  seat: number | null;
  name: string;
  glyph: string;
  shape: "cross" | "disc" | "ring" | "square" | "text";
  colour: "black" | "blue" | "brown" | "green" | "grey" | "orange" | "purple" | "red" | "white" | "yellow" | null;
}

/** Hexagons that stand on a corner, in rows, or in a mapping from their names. */
export interface HexGrid {
  type: "hexes";
  cells: string;
  pieces: Record<string, number | Piece>;
  names: string;
  click: string | string[];
  lean: "centre" | "even" | "left" | "odd" | "right";
}

/** Heaps below each other: sticks to take from, hands of cards. */
export interface Heaps {
  type: "heaps";
  piles: Pile[];
}

/** A field that is one heap or several: of so many things, or of things with names. */
export interface Pile {
  cells: string;
  label: string;
  click: string | string[];
  pieces: Record<string, number | Piece>;
  thing: string;
}

/** The view as text: these fields of it, or all. */
export interface TextBoard {
  type: "text";
  fields: string[];
}

/** A dialect: what its clients say and can do; `words` is missing where it has all games. */
export interface DialectLine {
  name: string;
  hello: string;
  words: DialectWords[] | null;
  named: boolean;
  tables: boolean;
  teams: boolean;
  tours: boolean;
  joins: string;
  joins_open: string;
  farewells: boolean;
  websocket: string;
  about: string;
  first_session: FirstLines[];
  docs: string;
}

/** A game that a dialect has words for: which values of its options it can say. */
export interface DialectWords {
  game: string;
  options: Record<string, string[]>;
  others: boolean;
}

/** A step of a first session by hand: every line of it can be said to a server as it stands. */
export interface FirstLines {
  say: string;
  lines: string[];
  answer: string[];
  house: string;
  alone: FirstLines | null;
}

/** A format: what can be set, and who may join it when. */
export interface FormatLine {
  name: string;
  about: string;
  options: GameOption[];
  late: boolean;
  solo: boolean;
  seeded: boolean;
  most: number;
}

/** A player at a glance. */
export interface PlayerLine {
  player: number;
  name: string;
  dialect: string;
}

/** A table as it stands, for one viewer; `view` is missing before the start. */
export interface Shown {
  type: "shown";
  line: TableLine;
  policy: Policy;
  seat: number | null;
  to_act: number[];
  left: number[] | null;
  view: View | null;
}

/** The answer to a hello: who speaks, and who the session is now, as in `Welcome`. */
export interface Hello {
  type: "hello";
  version: number;
  server: string;
  player: number | null;
  name: string | null;
  token: string | null;
  tables: number[];
}

/** A tour as it stands; the code only for its owner and the organiser. */
export interface TourShown {
  type: "tour_shown";
  line: TourLine;
  plan: Plan;
  code: string;
  left: number | null;
  entrants: EntrantLine[];
  standing: StandingRow[];
  n: number;
}

/** A tour at a glance. */
export interface TourLine {
  tour: number;
  name: string;
  variant: string;
  format: string;
  status: TourStatus;
  owner: number | null;
  coded: boolean;
  entrants: number;
  matches: number;
  played: number;
  running: number;
  winners?: string[];
  starts?: number | null;
}

/** Where a tour is in its life. */
export type TourStatus = "open" | "running" | "paused" | "closing" | "ended" | "cancelled";

/** What a tour is: which game, in which format, on which terms. */
export interface Plan {
  variant: string;
  format?: string;
  name?: string;
  seats?: number | null;
  time?: string;
  policy?: Policy;
  points?: string;
  ties?: string[];
  parallel?: number;
  at_once?: number;
  fair?: boolean;
  late?: boolean;
  absent?: number;
  strict?: boolean;
  farewell?: boolean;
  stays?: boolean;
  rated?: boolean;
  seeding?: Seeding;
  starts?: number | null;
}

/** What the order of the seeds is made from. */
export type Seeding = "joined" | "rating" | "hand";

/** An entrant at a glance. */
export interface EntrantLine {
  entrant: number;
  name: string;
  players: MemberOf[];
  out: string;
  rating?: number | null;
  paused?: boolean;
}

/** A player of an entrant. */
export interface MemberOf {
  player: number;
  name: string;
  dialect: string;
  connected: boolean;
}

/** One entrant of a tour, and how it did in the matches that have come out. */
export interface StandingRow {
  place: number;
  entrant: number;
  name: string;
  points: number;
  played: number;
  wins: number;
  draws: number;
  losses: number;
  byes: number;
  forfeits: number;
  ties: number[];
  out?: string;
  rating?: number | null;
  uncertainty?: number | null;
  paused?: boolean;
}

/** Event n of a tour. */
export interface TourNews {
  type: "tour_news";
  tour: number;
  n: number;
  at: number;
  event: TourEvent;
}

export type TourEvent = TourOpened | Joined | Partnered | Returned | Renamed | EntrantPaused | EntrantResumed | Withdrawn | TourStarted | TourPaused | TourSeeded | Paired | MatchBegun | MatchEnded | MatchVoided | MatchRuled | TourClosing | Parted | TourEnded;

/** A tour stands, and takes entrants; it is this player's, or the organiser's. */
export interface TourOpened {
  type: "tour_opened";
  plan: Plan;
  by?: number | null;
  package?: string;
}

/** A player, or the first of a team, is in. */
export interface Joined {
  type: "joined";
  entrant: number;
  name: string;
  player: number;
  rating?: number | null;
}

/** One more player of a team. */
export interface Partnered {
  type: "partnered";
  entrant: number;
  player: number;
}

/** A client that cannot say who it was is here again, as another player. */
export interface Returned {
  type: "returned";
  entrant: number;
  player: number;
  now: number;
}

/** An entrant goes by another name from now on. */
export interface Renamed {
  type: "renamed";
  entrant: number;
  name: string;
}

/** An entrant has been away for longer than the plan allows; it is still in the tour. */
export interface EntrantPaused {
  type: "entrant_paused";
  entrant: number;
}

/** An entrant that was paused is back. */
export interface EntrantResumed {
  type: "entrant_resumed";
  entrant: number;
}

/** An entrant is out of the tour, and why. */
export interface Withdrawn {
  type: "withdrawn";
  entrant: number;
  why: string;
}

/** Matches begin from now on; for the first time, or after a pause. */
export interface TourStarted {
  type: "tour_started";
  until?: number | null;
  ratings?: [number, number][];
}

/** No match begins until it is started again. */
export interface TourPaused {
  type: "tour_paused";
  left?: number | null;
}

/** Entrants are seeded in this order; who joins later comes after them. */
export interface TourSeeded {
  type: "tour_seeded";
  order: number[];
}

/** These are to be played. */
export interface Paired {
  type: "paired";
  fixtures: Fixture[];
}

/** Who meets whom: the sides of one match, in the order of the seats or teams. */
export interface Fixture {
  round: number;
  sides: number[];
  start?: number;
  teams?: number[];
  rest?: Worth | null;
}

/** What a bye is worth that is not the odd one's. */
export type Worth = "half" | "zero";

/** A match is played at this table. */
export interface MatchBegun {
  type: "match_begun";
  match: number;
  table: number;
}

/** A match has come out, at its table or without one. */
export interface MatchEnded {
  type: "match_ended";
  match: number;
  result: Result;
}

/** How a match came out, by side: 1 is first, equal places are shared. */
export interface Result {
  places: number[];
  how: string;
  reason?: string;
  forfeits?: number[];
  scores?: number[] | null;
  by_hand?: boolean;
}

/** A match counts for nothing, and is to be played again. */
export interface MatchVoided {
  type: "match_voided";
  match: number;
}

/** Somebody who runs the tour says how a match came out, whatever was or is played. */
export interface MatchRuled {
  type: "match_ruled";
  match: number;
  result: Result;
}

/** No match begins any more; those that run are played out. These would be the winners. */
export interface TourClosing {
  type: "tour_closing";
  how: string;
  winners: number[];
}

/** An entrant has taken the end of a tour that is closing, and may go. */
export interface Parted {
  type: "parted";
  entrant: number;
}

/** The tour is over: played, ended by its owner, or called off. */
export interface TourEnded {
  type: "tour_ended";
  how: string;
  winners: number[];
}

/** A match at a glance. */
export interface MatchLine {
  match: number;
  round: number;
  sides: number[];
  status: string;
  table: number | null;
  result: Result | null;
  points: number[];
  teams: number[];
  voided: number;
}

/** How a position stands for a seat that is to move there, and its best moves. */
export interface Analysis {
  table: number;
  seat: number;
  worth: number;
  choices: Choice[];
  depth: number;
  exact: boolean;
  tried: boolean;
}

/** A move, and what it is worth to who makes it: from 0, lost, to 1, won. */
export interface Choice {
  move: string;
  worth: number;
  score: string;
}

/** A position, and what may be played there. */
export interface Tryout {
  table: number;
  to_act: number[];
  legal: [number, string][];
  view: View;
  outcome: Outcome | null;
}

/** A game, for who does not know it. */
export interface Taught {
  game: string;
  rules: string[];
  lessons: TaughtPosition[];
}

/** A position to play. */
export interface TaughtPosition {
  task: string;
  why: string;
  variant: string;
  seat: number;
  view: View;
  legal: string[];
  good: string[];
  after: Record<string, View>;
}

/** The last lines, oldest first. */
export interface LobbyHeard {
  type: "lobby_heard";
  lines: LobbyLine[];
}

/** Something said in the lobby. */
export interface LobbyLine {
  line: number;
  at: number;
  player: number;
  name: string;
  text: string;
}

/** Somebody said something in the lobby. */
export interface LobbySaid {
  type: "lobby_said";
  said: LobbyLine;
}

/** What this player said in the lobby is to be seen no more. */
export interface LobbyCleared {
  type: "lobby_cleared";
  player: number;
}

/** Whom one has blocked. */
export interface Blocks {
  type: "blocks";
  blocked: Onlooker[];
}

/** A player, by number and name. */
export interface Onlooker {
  player: number;
  name: string;
}
