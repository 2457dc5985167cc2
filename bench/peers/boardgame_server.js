// boardgame.io's own server, with its default storage: the memory of the process.
const { Server } = require("boardgame.io/server");
const { Reversi } = require("./boardgame_game");

const print = console.log;
console.info = console.log = () => {};
const server = Server({ games: [Reversi], origins: ["*"] });
server.run(Number(process.argv[2]), () => print(`boardgame.io on 127.0.0.1:${process.argv[2]}`));
