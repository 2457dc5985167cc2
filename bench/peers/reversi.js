// Reversi on 8x8 as plain functions, for whoever wants to referee it: the rules that the
// prepared games were made by. A square is 0 to 63; the turn passes by itself where one cannot move.
const WAYS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy])).filter(([x, y]) => x || y);

exports.start = () => {
  const cells = Array(64).fill(null);
  cells[27] = cells[36] = 1;
  cells[28] = cells[35] = 0;
  return { cells, turn: 0, moves: 0 };
};

const turned = (cells, seat, at) => {
  if (cells[at] !== null) return [];
  const found = [];
  for (const [dx, dy] of WAYS) {
    let x = (at % 8) + dx, y = (at >> 3) + dy;
    const line = [];
    while (x >= 0 && x < 8 && y >= 0 && y < 8 && cells[8 * y + x] === 1 - seat) {
      line.push(8 * y + x);
      x += dx;
      y += dy;
    }
    if (line.length && x >= 0 && x < 8 && y >= 0 && y < 8 && cells[8 * y + x] === seat) found.push(...line);
  }
  return found;
};

const canMove = (cells, seat) => {
  for (let at = 0; at < 64; at++) if (turned(cells, seat, at).length) return true;
  return false;
};

// Plays on `game` itself; false where the move is not allowed.
exports.play = (game, seat, at) => {
  if (seat !== game.turn) return false;
  const line = turned(game.cells, seat, at);
  if (!line.length) return false;
  for (const one of [at, ...line]) game.cells[one] = seat;
  game.moves += 1;
  game.turn = canMove(game.cells, 1 - seat) ? 1 - seat : canMove(game.cells, seat) ? seat : null;
  return true;
};
