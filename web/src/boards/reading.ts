// What a declared board finds in a view: its cells with their names, and the cells of a move.
//
// The same as `cli/drawing/reading.py` does for a terminal.

import type { Grid, HexGrid, Piece, View } from "../wire";

export type Cells = Grid | HexGrid;

/** A cell: where it lies, what it is called and what it says; null is empty. `x` counts halves. */
export interface Spot {
  row: number;
  col: number;
  x: number;
  name: string;
  says: string | null;
}

/** The cells that a move names, in its order, or those of the column that it says. */
export interface Touched {
  cells: readonly Spot[];
  column: boolean;
}

type Words = Record<string, string>;

const WORD = /\{(\w+)\}/;
const PARTS = ["cell", "from", "to"];
const BLANK = ["", ".", "-", "_", " ", "0"];
const NONE: Touched = { cells: [], column: false };

export function fieldOf(view: View, name: string): unknown {
  return (view as unknown as Record<string, unknown>)[name];
}

/** What a cell says, as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.map(textOf).join(" ") : typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function patternsOf(click: string | readonly string[]): readonly string[] {
  return typeof click === "string" ? [click] : click;
}

export function pieceOf(pieces: Cells["pieces"], says: string | null): Piece | null {
  const found = says === null ? undefined : pieces[says];
  return typeof found === "object" ? found : null; // the server spells out what is short
}

/** The cells that there are, row by row. */
export function spotsOf(board: Cells, view: View): Spot[] {
  const found = fieldOf(view, board.cells);
  if (found && typeof found === "object" && !Array.isArray(found)) return mapped(board, found as Record<string, unknown>);
  const rows = rowsOf(board, view, found);
  const spots: Spot[] = [];
  for (const [row, values] of rows.entries())
    for (const [col, value] of values.entries()) {
      if (board.type === "hexes" && (value === null || value === " ")) continue; // there is no cell
      const words = wordsOf(row, col, rows.length, values.length);
      const name = board.names.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "");
      spots.push({ row, col, x: leanOf(board, row, values.length) + 2 * col, name, says: saidBy(board, value) });
    }
  return shifted(spots);
}

/** What this move is about on this board. */
export function touchedBy(board: Cells, spots: readonly Spot[], move: string): Touched {
  return readerOf(board, spots)(move);
}

/** The same for many moves. */
export function readerOf(board: Cells, spots: readonly Spot[]): (move: string) => Touched {
  const named = new Map(spots.map((spot) => [spot.name, spot]));
  const readers = patternsOf(board.click).map((pattern) => splitter(pattern, [...named.keys()]));
  return (move) => {
    for (const read of readers) {
      const found = read(move);
      if (!found) continue;
      const cells = found.filter(([word]) => PARTS.includes(word)).flatMap(([, name]) => named.get(name) ?? []);
      if (cells.length > 0) return { cells, column: false };
      const words = Object.fromEntries(found);
      if (!("col" in words || "col1" in words || "letter" in words)) continue;
      const col = placeOf(words, 1);
      return { cells: spots.filter((spot) => spot.col === col), column: true };
    }
    return NONE;
  };
}

/** All that could be a move of this seat, as far as clicks go: on free cells, into columns, from its own pieces. */
export function couldPlay(board: Cells, spots: readonly Spot[], seat: number): string[] {
  const rows = Math.max(0, ...spots.map(({ row }) => row)) + 1;
  const cols = Math.max(0, ...spots.map(({ col }) => col)) + 1;
  const own = spots.filter(({ says }) => pieceOf(board.pieces, says)?.seat === seat);
  const fill = (pattern: string, words: Words) => pattern.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "");
  return patternsOf(board.click).flatMap((pattern) => {
    const words = new Set([...pattern.matchAll(/\{(\w+)\}/g)].map(([, word = ""]) => word));
    if (words.has("from") && words.has("to")) {
      const ends = spots.filter((spot) => !own.includes(spot));
      return own.flatMap((from) => ends.map((to) => fill(pattern, { from: from.name, to: to.name })));
    }
    const free = spots.filter(({ says }) => says === null);
    if (words.has("cell")) return free.map(({ name }) => fill(pattern, { cell: name }));
    const columns = [...new Set(free.map(({ col }) => col))].sort((a, b) => a - b);
    return columns.map((col) => fill(pattern, wordsOf(0, col, rows, cols)));
  });
}

/** Where a move would end; of one that says a column alone, where things fall to. */
export function endOf({ cells, column }: Touched): Spot | null {
  if (!column) return cells.at(-1) ?? null;
  const taken = cells.findIndex((spot) => spot.says !== null);
  return cells[(taken < 0 ? cells.length : taken) - 1] ?? null;
}

/** The cells of a move that was made; of a column, what lies on top. */
export function marksOf({ cells, column }: Touched): readonly Spot[] {
  return column ? cells.filter((spot) => spot.says !== null).slice(0, 1) : cells;
}

/** Columns as letters: a to z, then aa. */
export function letterOf(col: number): string {
  return (col >= 26 ? letterOf(Math.floor(col / 26) - 1) : "") + String.fromCharCode(97 + (col % 26));
}

/** What the words of a pattern stand for in this text, in order; null where it does not fit. More may follow. */
export function split(pattern: string, cells: readonly string[], text: string): [string, string][] | null {
  return splitter(pattern, cells)(text);
}

function splitter(pattern: string, cells: readonly string[]): (text: string) => [string, string][] | null {
  const escape = (plain: string) => plain.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const cell = [...cells].sort((a, b) => b.length - a.length).map(escape).join("|");
  const words: string[] = [];
  const regex = pattern.split(WORD).map((part, n) => {
    if (n % 2 === 0) return escape(part);
    words.push(part);
    return PARTS.includes(part) ? `(${cell})` : part === "letter" ? "([a-z]+)" : part === "item" ? "(.+)" : "(-?\\d+)";
  });
  const whole = words.length > 0 ? new RegExp(`^${regex.join("")}(?!\\d)`, "u") : null;
  return (text) => {
    const found = whole?.exec(text) ?? null;
    return found && words.map((word, n) => [word, found[n + 1] ?? ""]);
  };
}

function rowsOf(board: Cells, view: View, found: unknown): unknown[][] {
  const all: unknown[] = typeof found === "string" ? [...found] : Array.isArray(found) ? found : [];
  const cols = board.type === "grid" ? sizeOf(view, board.cols) : null;
  const rows = typeof found === "string" ? [] : all.map((one) => (typeof one === "string" ? [...one] : Array.isArray(one) ? (one as unknown[]) : null));
  if (rows.length > 0 && rows.every((row) => row !== null && (cols === null || row.length === cols))) return rows as unknown[][];
  const width = Math.max(1, cols ?? all.length);
  return Array.from({ length: Math.ceil(all.length / width) }, (_, row) => all.slice(row * width, (row + 1) * width));
}

/** A number, or what the field of this name says. */
function sizeOf(view: View, size: number | string | null): number | null {
  const found = typeof size === "string" ? fieldOf(view, size) : size;
  return typeof found === "number" ? found : null;
}

function saidBy(board: Cells, value: unknown): string | null {
  const said = textOf(value);
  return BLANK.includes(said) && !(said in board.pieces) ? null : said;
}

function wordsOf(row: number, col: number, rows: number, cols: number): Words {
  const slot = row * cols + col;
  const numbers = { row, col, row1: row + 1, col1: col + 1, slot, slot1: slot + 1, rank: rows - row };
  return { letter: letterOf(col), ...Object.fromEntries(Object.entries(numbers).map(([word, number]) => [word, String(number)])) };
}

/** How many halves of a cell a row begins further right. */
function leanOf(board: Cells, row: number, cols: number): number {
  if (board.type === "grid") return 0;
  return { odd: row & 1, even: 1 - (row & 1), right: row, left: -row, centre: -cols }[board.lean];
}

/** Cells from their names: where each is, its name says. */
function mapped(board: Cells, found: Record<string, unknown>): Spot[] {
  const spots = Object.entries(found).flatMap(([name, value]) => {
    const words = Object.fromEntries(split(board.names, [], name) ?? []);
    if (Object.keys(words).length === 0) return [];
    const [row, col] = [placeOf(words, 0), placeOf(words, 1)];
    return [{ row, col, x: 2 * col + ("q" in words ? row : leanOf(board, row, 0)), name, says: saidBy(board, value) }];
  });
  return shifted(spots.sort((a, b) => a.row - b.row || a.x - b.x));
}

/** The row, or the column, that these words of a name mean. */
function placeOf(words: Words, axis: 0 | 1): number {
  if (axis === 0 && words.rank !== undefined) return -Number(words.rank);
  if (axis === 1 && words.letter !== undefined) return [...words.letter].reduce((sum, one) => 26 * sum + one.charCodeAt(0) - 96, 0) - 1;
  for (const word of axis === 0 ? ["row", "row1", "r"] : ["col", "col1", "q"]) {
    if (words[word] !== undefined) return Number(words[word]) - (word.endsWith("1") ? 1 : 0);
  }
  return 0;
}

/** All of them moved so that they begin at the top left. */
function shifted(spots: readonly Spot[]): Spot[] {
  const left = Math.min(...spots.map(({ x }) => x));
  const top = Math.min(...spots.map(({ row }) => row));
  return spots.map((spot) => ({ ...spot, row: spot.row - top, x: spot.x - left }));
}
