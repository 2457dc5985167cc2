// A board of squares in SVG that can be played with a mouse, a finger or the keyboard.
//
// One cell is in the tab order; arrows move from cell to cell, Enter or Space plays. Every cell is
// a button with a name of its own, and says whether it may be played. A board of many cells on a
// narrow screen scrolls, so that a finger still finds them.

import type { ComponentChildren } from "preact";
import { useDrawing } from "./arrows";
import { mayWords } from "./early";
import { useRoving } from "./roving-focus";
import { Scroll } from "./scroll";

interface GridProps {
  label: string;
  kind: string;
  columns: number;
  rows: number;
  small: boolean;
  legal: (cell: number) => boolean;
  last: readonly number[];
  /** Whatever changes when something was played: what was drawn over the board goes then. */
  position: unknown;
  /** Whether it is seen from the other side. */
  flipped?: boolean;
  /** Where a move that is on its way would be. */
  pending?: number | null;
  /** Whether what is legal is so only for one's next turn. */
  early?: boolean;
  /** Lines beside the board, outside of it. */
  edges?: boolean;
  name: (cell: number) => string;
  choose: (cell: number) => void;
  draw: (cell: number) => ComponentChildren;
  /** What a cell would look like if it were played, for the one under the pointer. */
  ghost?: (cell: number) => ComponentChildren;
  /** Lies over all cells; cannot be clicked. */
  over?: ComponentChildren;
}

const LEAST = 20; // pixels of a cell, below which the board scrolls instead

export function Grid(props: GridProps) {
  const { label, kind, columns, rows, small, legal, last, pending = null, early = false, flipped = false, edges = false, name, choose, draw, ghost, over } = props;
  const { at, board, go } = useRoving<SVGSVGElement>();
  const { marks, events } = useDrawing(board.ref, props.position);
  const cells = Array.from({ length: columns * rows }, (_, cell) => cell);
  // The letters beside the board have much the same size, however many cells there are.
  const edge = edges && !small ? Math.min(0.8, columns / 20) : 0;
  const line = columns / 240;
  const box = `${-edge - line} ${-edge - line} ${columns + edge + 2 * line} ${rows + edge + 2 * line}`;
  const rim = <rect class="rim" x={-line / 2} y={-line / 2} width={columns + line} height={rows + line} rx={line} style={{ strokeWidth: line }} />;
  const end = columns * rows - 1;
  const spot = (cell: number) => (flipped ? end - cell : cell); // where on the screen a cell is
  const place = (cell: number) => ({ x: spot(cell) % columns, y: Math.floor(spot(cell) / columns) });
  if (small) {
    return (
      <svg class={`board board-${kind} board-small`} viewBox={box} aria-hidden="true">
        {cells.map((cell) => (
          <Cell key={cell} {...place(cell)} last={last.includes(cell)}>
            {draw(cell)}
          </Cell>
        ))}
        {over}
        {rim}
      </svg>
    );
  }

  // Until somebody moved about, the board is entered where one can play.
  const here = at === null ? Math.max(0, cells.findIndex(legal)) : Number(at);
  const press = (key: KeyboardEvent) => {
    const { x } = place(here);
    const by = { ArrowLeft: x > 0 ? -1 : 0, ArrowRight: x < columns - 1 ? 1 : 0, ArrowUp: -columns, ArrowDown: columns, Home: -x, End: columns - 1 - x }[key.key];
    if (by !== undefined) go(here + (flipped ? -by : by));
    else if (key.key !== "Enter" && key.key !== " ") return;
    else if (legal(here)) choose(here);
    key.preventDefault();
    key.stopPropagation();
  };
  const size = { minWidth: `${LEAST * (columns + edge)}px`, minHeight: `${LEAST * (rows + edge)}px` };
  return (
    <Scroll>
      <svg {...board} {...events} class={`board board-${kind}`} viewBox={box} style={size} role="group" aria-label={label} onKeyDown={press}>
        {edge > 0 && <Edges columns={columns} rows={rows} edge={edge} away={line} flipped={flipped} />}
        {cells.map((cell) => {
          const may = legal(cell);
          return (
            <g
              key={cell}
              data-cell={cell}
              role="button"
              tabindex={cell === here ? 0 : -1}
              aria-label={name(cell) + (cell === pending ? (early ? ", for your next turn" : ", on its way") : may ? `, ${mayWords(early)}` : "")}
              aria-disabled={!may}
              onClick={() => may && choose(cell)}
              class={may ? "cell may" : "cell"}
            >
              <Cell {...place(cell)} last={last.includes(cell)}>
                {draw(cell)}
                {may && !early && <circle class="hint" cx=".5" cy=".5" r=".12" />}
                {ghost && cell === pending ? <g class="pending">{ghost(cell)}</g> : may && ghost && <g class="ghost">{ghost(cell)}</g>}
              </Cell>
            </g>
          );
        })}
        <g class="over">
          {over}
          {rim}
          {marks}
        </g>
      </svg>
    </Scroll>
  );
}

function Cell({ x, y, last, children }: { x: number; y: number; last: boolean; children: ComponentChildren }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect class={last ? "square square-last" : "square"} width="1" height="1" />
      {children}
      <rect class="ring" x=".06" y=".06" width=".88" height=".88" rx=".08" />
    </g>
  );
}

function Edges({ columns, rows, edge, away, flipped }: { columns: number; rows: number; edge: number; away: number; flipped: boolean }) {
  return (
    <g class="edges" aria-hidden="true" style={{ fontSize: `${edge * 0.64}px` }}>
      {Array.from({ length: columns }, (_, x) => (
        <text key={`c${x}`} x={x + 0.5} y={-away - 0.3 * edge}>
          {String.fromCharCode(97 + (flipped ? columns - 1 - x : x))}
        </text>
      ))}
      {Array.from({ length: rows }, (_, y) => (
        <text key={`r${y}`} x={-away - 0.48 * edge} y={y + 0.5 + edge * 0.22}>
          {flipped ? rows - y : y + 1}
        </text>
      ))}
    </g>
  );
}
