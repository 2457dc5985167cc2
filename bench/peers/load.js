// Plays prepared games at many tables at once. `table(n)` gives two players; each has
// `move(at)`, and calls `heard(n)` when the server has told it of the n-th move.
const games = require("./games.json");

exports.run = async (table, tables) => {
  const times = [];
  const playing = [];
  for (let n = 0; n < tables; n++) playing.push({ game: games[n % games.length], pair: await table(n) });
  const began = process.hrtime.bigint();
  console.log("ready");
  await Promise.all(playing.map(({ game, pair }) => new Promise((done) => {
    const told = [0, 0];
    let at = 0, sent = 0n;
    const next = () => {
      if (told[0] < at || told[1] < at) return; // both have heard of the last move
      if (at) times.push(Number(process.hrtime.bigint() - sent) / 1e6);
      if (at === game.length) return done();
      const [seat, square] = game[at++];
      sent = process.hrtime.bigint();
      pair[seat].move(square);
    };
    pair.forEach((player, seat) => { player.heard = (n) => { if (n > told[seat]) { told[seat] = n; next(); } }; });
    next();
  })));
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  times.sort((a, b) => a - b);
  const part = (p) => times[Math.min(times.length - 1, Math.floor(times.length * p))];
  console.log(JSON.stringify({ moves: times.length, seconds, p50: part(0.5), p99: part(0.99) }));
  process.exit(0);
};
