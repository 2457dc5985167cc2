// A bot for every game in JavaScript: in reversi it likes corners and edges, in guess it
// halves the range, and elsewhere it plays any legal move.
//
// rookery match "node examples/bots/bot.js" level1 --game reversi --games 10

const readline = require("readline");

const anyOf = (moves) => moves[Math.floor(Math.random() * moves.length)];

// A corner is worth most, then an edge; who turns over fewer discs early is not considered.
function reversi({ view, moves }) {
  const last = view.size - 1;
  const worth = (move) => {
    const col = move.charCodeAt(0) - "a".charCodeAt(0);
    const row = Number(move.slice(1)) - 1;
    return Number(col % last === 0) + Number(row % last === 0);
  };
  const best = Math.max(...moves.map(worth));
  return anyOf(moves.filter((move) => worth(move) === best));
}

// What we guessed and heard leaves a range; ask for its middle.
function guess({ view }) {
  let { low, high } = view;
  for (const { number, answer } of view.own) {
    if (answer === "L") low = Math.max(low, number + 1);
    if (answer === "H") high = Math.min(high, number - 1);
  }
  return String(Math.floor((low + high) / 2));
}

function choose(turn) {
  if (turn.view.type === "reversi_view") return reversi(turn);
  if (turn.view.type === "guess_view") return guess(turn);
  return anyOf(turn.moves);
}

// console.log writes a whole line at once: nothing needs flushing.
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "begin") console.log(JSON.stringify({ type: "ready" }));
  if (message.type === "turn") {
    console.log(JSON.stringify({ type: "play", move: choose(message) }));
  }
  if (message.type === "quit") process.exit(0);
});
