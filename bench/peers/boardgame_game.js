// The same reversi as a game of boardgame.io. Whose turn it is the rules know by themselves.
const { INVALID_MOVE, ActivePlayers } = require("boardgame.io/core");
const { start, play } = require("./reversi");

exports.Reversi = {
  name: "reversi",
  setup: start,
  turn: { activePlayers: ActivePlayers.ALL },
  moves: { place: ({ G, playerID }, at) => (play(G, Number(playerID), at) ? undefined : INVALID_MOVE) },
};
