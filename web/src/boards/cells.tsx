// A board of squares or hexagons as its game declares it, played by mouse, touch and keyboard.
//
// What can be clicked is read from the moves: one cell, a column, or a piece and then where it
// goes. Where a click could mean several moves they are buttons below, as are moves that are no click.

import { useMemo, useState } from "preact/hooks";
import type { Showing } from "../wire";
import { useDrawing } from "./arrows";
import { mayWords, movesWords } from "./early";
import type { LastMove } from "./kit";
import { Moves } from "./moves";
import { colourOf, nameOf, Shape } from "./piece";
import { type Cells, endOf, letterOf, marksOf, patternsOf, pieceOf, readerOf, type Spot, spotsOf, touchedBy } from "./reading";
import { useRoving } from "./roving-focus";
import { Scroll } from "./scroll";
import type { BoardProps } from "./kit";

const HIGH = Math.sqrt(3) / 2; // from one row of hexagons to the next
const SIDE = 1 / Math.sqrt(3); // of a hexagon as wide as a cell
const LEAST = 22; // pixels of a cell, below which the board scrolls instead
const HEX = Array.from({ length: 6 }, (_, n) => `${(SIDE * Math.sin((n * Math.PI) / 3)).toFixed(4)} ${(-SIDE * Math.cos((n * Math.PI) / 3)).toFixed(4)}`);
const HEXAGON = `M${HEX.join("L")}Z`;

interface Choice {
  /** By name, the moves that a click on one cell can mean. */
  single: Map<string, string[]>;
  /** By where a piece stands, and where it can go. */
  pairs: Map<string, Map<string, string[]>>;
  /** By the cell where a move would end. */
  ends: Map<string, string[]>;
  rest: string[];
}

interface Props extends BoardProps {
  board: Cells;
  shown: Showing;
}

export function CellBoard({ board, shown, view, seat, moves, last, flipped, pending, early, play, small }: Props) {
  const { at, board: roving, go } = useRoving<SVGSVGElement>();
  const { marks: drawn, events } = useDrawing(roving.ref, view);
  const [picked, setPicked] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [open, setOpen] = useState<readonly string[]>([]);
  const spots = useMemo(() => spotsOf(board, view), [board, view]);
  const choice = useMemo(() => choiceOf(board, spots, moves), [board, spots, moves]);
  const turned = (board.type === "grid" && board.turned && seat !== null && seat % 2 === 1) !== flipped;
  const box = boxOf(board, spots, small);
  const place = placing(board, spots, turned);
  const marks = new Set(lastOf(board, spots, last).map(({ name }) => name));
  const from = picked !== null && choice.pairs.has(picked) ? picked : null;
  const ghost = ghostOf(board, seat);
  const leaving = pending === null ? null : touchedBy(board, spots, pending);
  const [start] = leaving && !leaving.column && leaving.cells.length > 1 ? leaving.cells : [];
  const coming = leaving && endOf(leaving)?.name;
  const aimed = over === null ? null : (choice.single.get(over)?.[0] ?? null);

  const send = (found: readonly string[]) => {
    setPicked(null);
    setOpen(found.length > 1 ? found : []);
    if (found.length === 1) void play(found[0]!);
  };
  const choose = (name: string) => {
    const found = (from === null ? undefined : choice.pairs.get(from)?.get(name)) ?? choice.single.get(name);
    if (found) send(found);
    else setPicked(choice.pairs.has(name) && name !== from ? name : null);
  };
  if (small) {
    return (
      <svg class={`board board-declared board-small surface-${surfaceOf(board)}`} viewBox={box.view} aria-hidden="true">
        {spots.map((spot) => (
          <g key={spot.name} transform={place(spot)}>
            <Ground board={board} spot={spot} last={marks.has(spot.name)} />
            {spot.says !== null && <Shape piece={pieceOf(board.pieces, spot.says)} says={spot.says} shown={shown} />}
          </g>
        ))}
      </svg>
    );
  }

  const here = Number(at ?? Math.max(0, spots.findIndex(({ name }) => choice.single.has(name) || choice.pairs.has(name))));
  const press = (key: KeyboardEvent) => {
    const spot = spots[here];
    if (key.key === "Escape" && from !== null) setPicked(null);
    else if (key.key === "Enter" || key.key === " ") spot && choose(spot.name);
    else if (!key.key.startsWith("Arrow")) return;
    else go(spots.indexOf(nextTo(spots, spot, key.key, turned) ?? spots[here]!));
    key.preventDefault();
    key.stopPropagation();
  };
  const size = { minWidth: `${LEAST * box.width}px`, minHeight: `${LEAST * box.height}px` };
  return (
    <div class="declared">
      <Scroll>
        <svg {...roving} {...events} class={`board board-declared surface-${surfaceOf(board)}`} viewBox={box.view} style={size} role="group" aria-label={`${shown.title} board`} onKeyDown={press}>
          {surfaceOf(board) === "holes" && <rect class="panel" x="-.12" y="-.12" width={box.width - 0.04 - box.side} height={box.height - 0.04 - box.edge} rx=".25" />}
          <Edges board={board} spots={spots} edge={box.edge} turned={turned} />
          {spots.map((spot, n) => {
            const target = (from === null ? undefined : choice.pairs.get(from)?.has(spot.name)) ?? false;
            const ends = choice.ends.get(spot.name);
            const movable = choice.pairs.has(spot.name);
            const may = target || movable || choice.single.has(spot.name);
            const hinted = target || (from === null && ends !== undefined);
            const piece = pieceOf(board.pieces, spot.says);
            const said = [spot.name, nameOf(piece, spot.says, shown)];
            if (marks.has(spot.name)) said.push("the last move");
            if (spot.name === from) said.push("chosen");
            else if (movable && !target) said.push(movesWords(early, false));
            if (target) said.push(movesWords(early, true));
            else if (hinted && !movable) said.push(mayWords(early));
            return (
              <g
                key={spot.name}
                data-cell={n}
                transform={place(spot)}
                role="button"
                tabindex={n === here ? 0 : -1}
                aria-label={said.join(", ")}
                aria-disabled={!may}
                {...(movable ? { "aria-pressed": spot.name === from } : {})}
                class={`cell${may ? " may" : ""}${movable ? " movable" : ""}${spot.name === from ? " picked" : ""}${target ? " target" : ""}`}
                onClick={() => choose(spot.name)}
                onPointerEnter={() => setOver(spot.name)}
                onPointerLeave={() => setOver(null)}
                onFocus={() => setOver(spot.name)}
                onBlur={() => setOver(null)}
              >
                <Ground board={board} spot={spot} last={marks.has(spot.name)} />
                {board.type === "hexes" && spot.says === null && (
                  <text class="cell-name" y=".36" aria-hidden="true">
                    {spot.name}
                  </text>
                )}
                {spot.says !== null && spot.name !== start?.name && <Shape key={spot.says} piece={piece} says={spot.says} shown={shown} fresh={marks.has(spot.name)} />}
                {spot.name === coming && spot.name !== start?.name && (
                  <g class="pending">
                    {start?.says ? <Shape piece={pieceOf(board.pieces, start.says)} says={start.says} shown={shown} /> : ghost && <Shape piece={ghost.piece} says={ghost.says} shown={shown} />}
                  </g>
                )}
                {hinted && !early && spot.says === null && <circle class="hint" r=".12" />}
                {target && spot.says !== null && <Ring board={board} name="aim" />}
                {movable && <Ring board={board} name="stand" />}
                {ghost && from === null && aimed !== null && ends?.includes(aimed) && (
                  <g class="ghost ghost-shown">
                    <Shape piece={ghost.piece} says={ghost.says} shown={shown} />
                  </g>
                )}
                <Ring board={board} name="ring" />
              </g>
            );
          })}
          {drawn}
        </svg>
      </Scroll>
      <Moves moves={open.some((one) => moves.includes(one)) ? open : choice.rest} play={(move) => send([move])} />
    </div>
  );
}

function Ground({ board, spot, last }: { board: Cells; spot: Spot; last: boolean }) {
  const shade = `square${last ? " square-last" : ""}${(spot.row + spot.col) % 2 === 1 ? " square-dark" : ""}`;
  if (board.type === "hexes") return <path class={shade} d={HEXAGON} />;
  if (board.surface === "holes") {
    return (
      <>
        <rect class="reach" x="-.5" y="-.5" width="1" height="1" />
        <circle class={shade} r=".41" />
      </>
    );
  }
  return (
    <>
      <rect class={shade} x="-.5" y="-.5" width="1" height="1" />
      {board.surface === "lines" && <path class="lines" d="M-.5 0H.5M0-.5V.5" />}
    </>
  );
}

function Ring({ board, name }: { board: Cells; name: string }) {
  if (board.type === "hexes") return <path class={name} d={HEXAGON} transform="scale(.86)" />;
  return <rect class={name} x="-.44" y="-.44" width=".88" height=".88" rx=".08" />;
}

/** What columns and rows are called, as moves say it. */
function Edges({ board, spots, edge, turned }: { board: Cells; spots: readonly Spot[]; edge: number; turned: boolean }) {
  if (board.type === "hexes" || edge === 0) return null;
  const rows = Math.max(...spots.map(({ row }) => row)) + 1;
  const cols = Math.max(...spots.map(({ col }) => col)) + 1;
  const columns = [...patternsOf(board.click), board.names].find(saysColumn) ?? "";
  const top = (col: number) => (columns.includes("{letter}") ? letterOf(col) : columns ? String(col + (columns.includes("{col1}") ? 1 : 0)) : "");
  const side = (row: number) => (patternsOf(board.click).some(saysColumn) ? "" : board.names.includes("{rank}") ? String(rows - row) : board.names.includes("{row1}") ? String(row + 1) : board.names.includes("{row}") ? String(row) : "");
  const put = (n: number, of: number) => (turned ? of - 1 - n : n) + 0.5;
  return (
    <g class="edges" aria-hidden="true" style={{ fontSize: `${edge * 0.6}px` }}>
      {Array.from({ length: cols }, (_, col) => (
        <text key={`c${col}`} x={put(col, cols)} y={-0.35 * edge}>
          {top(col)}
        </text>
      ))}
      {Array.from({ length: rows }, (_, row) => (
        <text key={`r${row}`} x={-0.55 * edge} y={put(row, rows) + edge * 0.2}>
          {side(row)}
        </text>
      ))}
    </g>
  );
}

function saysColumn(pattern: string): boolean {
  return /\{(col1?|letter)\}/.test(pattern);
}

function surfaceOf(board: Cells): string {
  return board.type === "hexes" ? "comb" : board.surface;
}

function placing(board: Cells, spots: readonly Spot[], turned: boolean): (spot: Spot) => string {
  const rows = Math.max(...spots.map(({ row }) => row));
  const cols = Math.max(...spots.map(({ x }) => x)) / 2;
  return ({ row, x }) => {
    const [across, down] = turned ? [cols - x / 2, rows - row] : [x / 2, row];
    return board.type === "hexes" ? `translate(${across + 0.5} ${(HIGH * down + SIDE).toFixed(4)})` : `translate(${across + 0.5} ${down + 0.5})`;
  };
}

function boxOf(board: Cells, spots: readonly Spot[], small: boolean) {
  const cols = Math.max(0, ...spots.map(({ x }) => x)) / 2 + 1;
  const rows = Math.max(0, ...spots.map(({ row }) => row));
  const height = board.type === "hexes" ? HIGH * rows + 2 * SIDE : rows + 1;
  const named = board.type === "grid" && !small && /\{(col|row|letter|rank)/.test(board.names);
  const edge = named ? Math.min(0.8, Math.max(cols, height) / 20 + 0.1) : 0;
  const pad = board.type === "grid" && board.surface === "holes" ? 0.14 : 0.04;
  const side = patternsOf(board.click).some(saysColumn) ? 0 : edge; // rows have no names then
  const [wide, high] = [cols + side + 2 * pad, height + edge + 2 * pad];
  return { view: `${-side - pad} ${-edge - pad} ${wide} ${high}`, width: wide, height: high, edge, side };
}

function choiceOf(board: Cells, spots: readonly Spot[], moves: readonly string[]): Choice {
  const choice: Choice = { single: new Map(), pairs: new Map(), ends: new Map(), rest: [] };
  const add = (map: Map<string, string[]>, name: string, move: string) => map.set(name, [...(map.get(name) ?? []), move]);
  const read = readerOf(board, spots);
  for (const move of moves) {
    const touched = read(move);
    const [first, second] = touched.cells;
    if (!first) choice.rest.push(move);
    else if (touched.column || !second) {
      for (const { name } of touched.cells) add(choice.single, name, move);
      const end = endOf(touched);
      if (end) add(choice.ends, end.name, move);
    } else {
      const to = choice.pairs.get(first.name) ?? new Map<string, string[]>();
      add(to, second.name, move);
      choice.pairs.set(first.name, to);
    }
  }
  return choice;
}

function lastOf(board: Cells, spots: readonly Spot[], last: LastMove | null): readonly Spot[] {
  return last ? marksOf(touchedBy(board, spots, last.move)) : [];
}

/** What one would place: the only kind of piece that one has, if there is one. */
function ghostOf(board: Cells, seat: number | null) {
  const own = Object.entries(board.pieces).filter(([, piece]) => typeof piece === "object" && piece.seat === seat && seat !== null);
  const [says] = own[0] ?? [];
  const piece = says === undefined ? null : pieceOf(board.pieces, says);
  return says !== undefined && piece && own.length === 1 ? { says, piece } : null;
}

/** The nearest cell in the direction of an arrow key. */
function nextTo(spots: readonly Spot[], from: Spot | undefined, key: string, turned: boolean): Spot | undefined {
  if (!from) return spots[0];
  const way = turned ? -1 : 1;
  const [dx, dy] = { ArrowLeft: [-way, 0], ArrowRight: [way, 0], ArrowUp: [0, -way], ArrowDown: [0, way] }[key] ?? [0, 0];
  const ahead = spots.filter((spot) => (dx ? spot.row === from.row && Math.sign(spot.x - from.x) === dx : Math.sign(spot.row - from.row) === dy));
  const far = (spot: Spot) => (dx ? Math.abs(spot.x - from.x) : Math.abs(spot.row - from.row) * 100 + Math.abs(spot.x - from.x));
  return ahead.sort((a, b) => far(a) - far(b))[0];
}

/** Who has which cells, for who cannot see them. */
export function describeCells(board: Cells, shown: Showing, spots: readonly Spot[]): string {
  const groups = new Map<string, string[]>();
  for (const spot of spots) {
    if (spot.says === null) continue;
    const piece = pieceOf(board.pieces, spot.says);
    const name = piece?.name || (piece ? colourOf(piece, shown) : spot.says);
    groups.set(name, [...(groups.get(name) ?? []), spot.name]);
  }
  return [...groups].map(([name, cells]) => `${name} at ${cells.join(", ")}.`).join(" ") || "The board is empty.";
}
