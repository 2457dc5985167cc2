// Two clients of boardgame.io a match: `node boardgame_load.js PORT TABLES`.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Reversi } = require("./boardgame_game");
const { run } = require("./load");

const [port, tables] = process.argv.slice(2).map(Number);
const player = (match, seat) => new Promise((ready) => {
  const multiplayer = SocketIO({ server: `http://127.0.0.1:${port}`, socketOpts: { transports: ["websocket"] } });
  const client = Client({ game: Reversi, numPlayers: 2, multiplayer, matchID: match, playerID: String(seat), debug: false });
  const one = { move: (at) => client.moves.place(at), heard: () => {} };
  client.start();
  let waiting = true;
  client.subscribe((state) => {
    if (!state || !client.transport.isConnected) return;
    if (waiting) { waiting = false; ready(one); }
    one.heard(state.G.moves);
  });
});
run(async (n) => [await player(`match${n}`, 0), await player(`match${n}`, 1)], tables);
