// Reversi of any even size: discs on a green cloth, coordinates as moves are written.

import type { Effect, SeatLine, View } from "../wire";
import { count, whoOf } from "../words";
import { Grid } from "./grid";
import type { BoardProps, Kit } from "./kit";

interface ReversiView extends View {
  size: number;
  rows: string[];
  turn: number | null;
  discs: [number, number];
}

const NAMES: Record<string, string> = { X: "black", O: "white", ".": "empty" };

/** `d3` of a cell, columns by letter and rows from the top. */
function square(cell: number, size: number): string {
  return `${String.fromCharCode(97 + (cell % size))}${Math.floor(cell / size) + 1}`;
}

function cellOf(move: string, size: number): number {
  return (Number(move.slice(1)) - 1) * size + (move.toLowerCase().charCodeAt(0) - 97);
}

function Board({ view, seat, moves, last, flipped, pending, early, play, small }: BoardProps) {
  const { size, rows, turn } = view as ReversiView;
  const cells = rows.join("");
  const turning = new Set((last?.effects ?? []).filter(isFlip).map(({ row, col }) => row * size + col));
  const at = last ? cellOf(last.move, size) : -1;
  const legal = new Set(moves.map((move) => cellOf(move, size)));
  const mine = (early ? seat : turn) === 1 ? "O" : "X"; // whose turn it will be
  return (
    <Grid
      label="Reversi board"
      kind="reversi"
      columns={size}
      rows={size}
      small={small}
      edges
      legal={(cell) => legal.has(cell)}
      last={[at]}
      position={cells}
      early={early}
      flipped={flipped}
      pending={pending === null ? null : cellOf(pending, size)}
      name={(cell) => `${square(cell, size)}, ${NAMES[cells[cell] ?? "."]}${cell === at ? ", the last move" : ""}`}
      choose={(cell) => play(square(cell, size))}
      draw={(cell) => {
        const side = cells[cell] ?? ".";
        // A disc that turns is a new one to the page, and so its turning is seen each time.
        return side !== "." && <Disc key={side} side={side} turned={turning.has(cell) ? far(cell, at, size) : 0} fresh={cell === at} />;
      }}
      ghost={() => <Disc side={mine} turned={0} fresh={false} />}
      over={size >= 8 && <Dots size={size} />}
    />
  );
}

/** How many squares lie between two. */
function far(cell: number, other: number, size: number): number {
  return Math.max(Math.abs((cell % size) - (other % size)), Math.abs(Math.floor(cell / size) - Math.floor(other / size)));
}

function Disc({ side, turned, fresh }: { side: string; turned: number; fresh: boolean }) {
  const colour = side === "X" ? "disc-black" : "disc-white";
  const wave = turned > 0 ? { animationDelay: `${turned * 50}ms` } : {};
  return (
    <g class={fresh ? "put" : ""}>
      <circle class={`disc ${colour}${turned > 0 ? " flip" : ""}`} style={wave} cx=".5" cy=".5" r=".41" />
      {fresh && <circle class={`pip ${colour}`} cx=".5" cy=".5" r=".1" />}
    </g>
  );
}

/** Four dots, two squares from the corners, for the eye to hold on to. */
function Dots({ size }: { size: number }) {
  const ends = [2, size - 2];
  return <>{ends.flatMap((x) => ends.map((y) => <circle key={`${x}${y}`} class="dot" cx={x} cy={y} r=".07" />))}</>;
}

function isFlip(effect: Effect): effect is Effect & { row: number; col: number } {
  return effect.type === "flipped";
}

export const reversi: Kit = {
  Board,
  say: (move) => move,
  brief: (move) => move,
  gained: (effects) => {
    const turned = effects.filter(isFlip).length;
    return { brief: "", said: turned > 0 ? `turns ${count(turned, "disc")} over` : "" };
  },
  early: (view) => {
    const { size, rows } = view as ReversiView;
    return [...rows.join("")].flatMap((side, cell) => (side === "." ? [square(cell, size)] : []));
  },
  describe: (view: View, seats: readonly SeatLine[]) => {
    const { discs, turn } = view as ReversiView;
    const next = turn === null ? "" : ` It is ${whoOf(seats[turn])}’s turn.`;
    return `Black has ${discs[0]}, white has ${discs[1]}.${next}`;
  },
  scores: (view) => (view as ReversiView).discs,
  unit: "discs",
  leads: true,
  flips: true,
  ratio: () => 1,
};
