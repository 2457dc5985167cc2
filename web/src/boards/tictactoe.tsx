// Tic-tac-toe: nine cells. The smallest board, and the example for others.

import type { View } from "../wire";
import { whoOf } from "../words";
import { Grid } from "./grid";
import type { BoardProps, Kit } from "./kit";

interface TictactoeView extends View {
  rows: string[];
  turn: number | null;
}

const PLACES = ["top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"];
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]] as const;

interface Point {
  x: number;
  y: number;
}

function Board({ view, seat, moves, last, flipped, pending, early, play, small }: BoardProps) {
  const { rows, turn } = view as TictactoeView;
  const cells = rows.join("");
  return (
    <Grid
      label="Tic-tac-toe board"
      columns={3}
      rows={3}
      small={small}
      legal={(cell) => moves.includes(String(cell))}
      last={last ? [Number(last.move)] : []}
      position={cells}
      early={early}
      flipped={flipped}
      pending={pending === null ? null : Number(pending)}
      name={(cell) => `${PLACES[cell]}, ${cells[cell] === "." ? "empty" : cells[cell]}`}
      choose={(cell) => play(String(cell))}
      draw={(cell) => <Mark mark={cells[cell] ?? "."} />}
      ghost={() => <Mark mark={(early ? seat : turn) === 1 ? "O" : "X"} />}
      over={<Won cells={cells} />}
      kind="tictactoe"
    />
  );
}

/** A stroke through three in a row, if there are. */
function Won({ cells }: { cells: string }) {
  const line = LINES.find(([a, b, c]) => cells[a] !== "." && cells[a] === cells[b] && cells[b] === cells[c]);
  if (!line) return null;
  const [from, to] = [line[0], line[2]].map((cell) => ({ x: (cell % 3) + 0.5, y: Math.floor(cell / 3) + 0.5 })) as [Point, Point];
  // A little beyond the marks on either side.
  const [dx, dy] = [(to.x - from.x) * 0.17, (to.y - from.y) * 0.17];
  return <path class="won" pathLength="1" d={`M${from.x - dx} ${from.y - dy}L${to.x + dx} ${to.y + dy}`} />;
}

function Mark({ mark }: { mark: string }) {
  if (mark === "X") return <path class="mark mark-x" d="M.25 .25 .75 .75M.75 .25 .25 .75" />;
  if (mark === "O") return <circle class="mark mark-o" cx=".5" cy=".5" r=".27" />;
  return null;
}

export const tictactoe: Kit = {
  Board,
  say: (move) => PLACES[Number(move)] ?? move,
  describe: (view, seats) => {
    const { rows, turn } = view as TictactoeView;
    const cells = rows.join("");
    const next = turn === null ? "" : ` It is ${whoOf(seats[turn])}’s turn.`;
    const of = (mark: string) => PLACES.filter((_, cell) => cells[cell] === mark).join(", ") || "nothing";
    return `X has ${of("X")}. O has ${of("O")}.${next}`;
  },
  early: (view) => [...(view as TictactoeView).rows.join("")].flatMap((mark, cell) => (mark === "." ? [String(cell)] : [])),
  scores: () => null,
  unit: "",
  ratio: () => 1,
};
