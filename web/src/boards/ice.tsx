// The ice of a game of fish, to look at and to play on.
//
// Placing is one choice, a tile. Sliding is two: a penguin, then where it goes; a click on each,
// Enter on each, or one drag. Which tiles those are is read from the moves, never worked out.

import { useMemo, useState } from "preact/hooks";
import { follow } from "./drag";
import { useDrawing } from "./arrows";
import { Penguin } from "./fish-art";
import { extent, HIGH, middle, outline, type Spot, spotAt, stepFrom } from "./hex";
import type { LastMove } from "./kit";
import { useRoving } from "./roving-focus";
import { Tile } from "./tile";

export interface Flock {
  seat: number;
  color: string;
  score: number;
  places: [number, number][];
  removed: boolean;
}

interface IceProps {
  board: number[][];
  flocks: readonly Flock[];
  turn: number | null;
  moves: readonly string[];
  last: LastMove | null;
  pending: string | null;
  early: boolean;
  play: (move: string) => void;
  small: boolean;
}

const EDGE = 0.9; // room for the numbers beside the board
const RIM = 0.3; // sea around the ice
const LEAST = 9; // pixels of a side, below which the board scrolls instead
export const MANY = 11; // columns; a board with more is as high as its place, and scrolls sideways

export const write = ({ row, col }: Spot) => `${row},${col}`;
export const read = (text: string): Spot => {
  const [row, col] = text.split(",").map(Number);
  return { row: row ?? 0, col: col ?? 0 };
};

/** The width and height of a board with its edges. */
export function frame(rows: number, cols: number, small: boolean) {
  const { width, height } = extent(rows, cols);
  const edge = small ? 0 : EDGE;
  return { x: -RIM - edge, y: -RIM - edge, width: width + 2 * RIM + edge, height: height + 2 * RIM + edge };
}

export function Ice({ board, flocks, turn, moves, last, pending, early, play, small }: IceProps) {
  const rows = board.length;
  const cols = board[0]?.length ?? 0;
  const { at, board: roving, go } = useRoving<SVGSVGElement>();
  const { marks, events } = useDrawing(roving.ref, board);
  const [picked, setPicked] = useState<string | null>(null);
  const [drag, setDrag] = useState<{ from: string; x: number; y: number } | null>(null);

  const slides = useMemo(() => slidesOf(moves), [moves]);
  const places = useMemo(() => new Set(moves.filter((move) => !move.includes("-"))), [moves]);
  const standing = useMemo(() => standingOf(flocks), [flocks]);
  const chosen = picked !== null && slides.has(picked) ? picked : null;
  const targets = chosen === null ? places : (slides.get(chosen) ?? places);
  const [from, to] = last ? last.move.split("-") : [];
  const [goes, comes] = pending ? pending.split("-") : []; // a penguin on its way
  const box = frame(rows, cols, small);

  const choose = (spot: string) => {
    if (targets.has(spot)) {
      setPicked(null);
      play(chosen === null ? spot : `${chosen}-${spot}`);
    } else setPicked(slides.has(spot) && spot !== chosen ? spot : null);
  };
  const press = (key: KeyboardEvent) => {
    if (key.key === "Enter" || key.key === " ") choose(here);
    else if (key.key === "Escape" && chosen !== null) setPicked(null);
    else {
      const next = stepFrom(read(here), key.key, rows, cols);
      if (!next && !key.key.startsWith("Arrow")) return;
      if (next) go(write(next));
    }
    key.preventDefault();
    key.stopPropagation();
  };
  const grab = (spot: string, start: PointerEvent) => {
    const svg = roving.ref.current;
    if (!slides.has(spot) || !svg || start.button !== 0) return;
    follow(svg, start, {
      moved: (x, y) => {
        setPicked(spot);
        setDrag({ from: spot, x, y });
      },
      dropped: (x, y) => {
        setDrag(null);
        const end = spotAt(x, y, rows, cols);
        if (end && slides.get(spot)?.has(write(end))) {
          setPicked(null);
          play(`${spot}-${write(end)}`);
        }
      },
    });
  };

  const here = at ?? slides.keys().next().value ?? places.values().next().value ?? "0,0";
  const signed = !small || cols * rows <= 60;
  const tiles = board.flatMap((line, row) => line.map((fish, col) => ({ row, col, fish, spot: `${row},${col}` })));
  return (
    <svg
      {...roving}
      class={`board board-fish${small ? " board-small" : ""}${drag ? " dragging" : ""}`}
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      {...(small
        ? { "aria-hidden": "true" as const }
        : { ...events, role: "group", "aria-label": "Fish board", onKeyDown: press, style: sizeOf(box, cols) })}
    >
      <Sea rows={rows} cols={cols} edges={!small} />
      {tiles.map(({ row, col, fish, spot }) => (
        <Tile
          key={spot}
          spot={spot}
          {...middle({ row, col })}
          fish={fish}
          flock={standing.get(spot)?.color ?? null}
          small={small}
          tabbable={spot === here}
          movable={slides.has(spot)}
          picked={spot === chosen}
          target={targets.has(spot)}
          ghost={chosen === null && targets.has(spot) ? turn : null}
          lit={chosen !== null && targets.has(spot)}
          last={spot === from || spot === to}
          early={early}
          choose={choose}
          grab={grab}
        />
      ))}
      {from && to && <Trail from={from} to={to} last={last} />}
      {flocks.flatMap((flock) =>
        flock.places.map(([row, col], n) => {
          const spot = `${row},${col}`;
          const fresh = last?.seat === flock.seat && spot === (to ?? from);
          const held = drag?.from === spot ? drag : null;
          const away = comes !== undefined && goes === spot;
          const { x, y } = held ?? middle(away ? read(comes) : { row, col });
          return (
            <g key={`${flock.seat}-${n}${fresh ? last?.move : ""}`} class="standing" transform={`translate(${x} ${y})`}>
              <g class={held ? "held" : away ? "pending" : fresh ? (to ? "slid" : "landed") : ""} style={fresh && from && to && !held ? arrival(from, to) : {}}>
                <Penguin seat={flock.seat} signed={signed} />
              </g>
            </g>
          );
        }),
      )}
      {goes && !comes && turn !== null && (
        <g class="standing pending" transform={`translate(${middle(read(goes)).x} ${middle(read(goes)).y})`}>
          <Penguin seat={turn} signed={signed} />
        </g>
      )}
      {marks}
    </svg>
  );
}

function sizeOf({ width, height }: { width: number; height: number }, cols: number) {
  const least = { minWidth: `${LEAST * width}px`, minHeight: `${LEAST * height}px` };
  return cols > MANY ? { ...least, width: "auto", aspectRatio: `${width} / ${height}` } : least;
}

function Sea({ rows, cols, edges }: { rows: number; cols: number; edges: boolean }) {
  const { width, height } = extent(rows, cols);
  // On a large board a number at every row would be too small to read: every fifth has one.
  const [every, size] = Math.max(rows / 2, cols) > 12 ? [5, 0.8] : [1, 0.42];
  const numbers = (most: number) => Array.from({ length: Math.ceil(most / every) }, (_, n) => n * every);
  return (
    <>
      <rect class="sea" x={-RIM} y={-RIM} width={width + 2 * RIM} height={height + 2 * RIM} rx=".5" />
      {edges && (
        <g class="edges" aria-hidden="true" style={{ fontSize: `${size}px` }}>
          {numbers(rows).map((row) => (
            <text key={`r${row}`} x={-RIM - 0.45} y={HIGH * (row + 1) + size / 3}>
              {row}
            </text>
          ))}
          {numbers(cols).map((col) => (
            <text key={`c${col}`} x={1 + 3 * col + (rows > 1 ? 0.75 : 0)} y={-RIM - 0.25}>
              {col}
            </text>
          ))}
        </g>
      )}
    </>
  );
}

/** Where the last penguin came from, the way it took, and what it ate there. */
function Trail({ from, to, last }: { from: string; to: string; last: LastMove | null }) {
  const [a, b] = [middle(read(from)), middle(read(to))];
  const ate = last?.effects.find((effect) => effect.type === "scored")?.fish;
  return (
    <g class="trail" key={last?.move} aria-hidden="true">
      <path class="melting" transform={`translate(${a.x} ${a.y})`} d={outline(0.94)} />
      <path class="trail-line" d={`M${a.x} ${a.y}L${b.x} ${b.y}`} />
      <circle class="trail-start" cx={a.x} cy={a.y} r=".34" />
      {ate !== undefined && <text x={a.x} y={a.y + 0.14}>{`+${ate}`}</text>}
    </g>
  );
}

function arrival(from: string, to: string) {
  const [a, b] = [middle(read(from)), middle(read(to))];
  return { "--dx": `${(a.x - b.x).toFixed(3)}px`, "--dy": `${(a.y - b.y).toFixed(3)}px` };
}

function slidesOf(moves: readonly string[]): Map<string, Set<string>> {
  const slides = new Map<string, Set<string>>();
  for (const move of moves) {
    const [from, to] = move.split("-");
    if (from && to) slides.set(from, (slides.get(from) ?? new Set()).add(to));
  }
  return slides;
}

function standingOf(flocks: readonly Flock[]): Map<string, Flock> {
  return new Map(flocks.flatMap((flock) => flock.places.map(([row, col]) => [`${row},${col}`, flock] as const)));
}
