// Two clients of Colyseus a room: `node colyseus_load.js PORT TABLES`.
const { Client } = require("colyseus.js");
const { run } = require("./load");

const [port, tables] = process.argv.slice(2).map(Number);
const client = new Client(`ws://127.0.0.1:${port}`);
const player = (room) => {
  const one = { move: (at) => room.send("move", at), heard: () => {} };
  room.onMessage("moved", ([, n]) => one.heard(n));
  room.onMessage("refused", (at) => { throw new Error(`refused: ${at}`); });
  return one;
};
run(async () => {
  const first = await client.create("reversi");
  return [player(first), player(await client.joinById(first.roomId))];
}, tables);
