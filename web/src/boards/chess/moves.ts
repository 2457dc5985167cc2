// Legal moves of one board, sorted for a chess board: where each piece may go, and each drop.
//
// Moves are the server's text without the board: `e2e4`, `e7e8q`, `N@f3`.

import type { Dests, Key, Role } from "chessground/types";

export interface Choices {
  dests: Dests;
  /** By letter of the piece (`N`), the squares it may be dropped on. */
  drops: Map<string, Key[]>;
  has: (move: string) => boolean;
}

export const ROLES: Record<string, Role> = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };
export const LETTERS = Object.fromEntries(Object.entries(ROLES).map(([letter, role]) => [role, letter])) as Record<Role, string>;

/** What of these moves is on this board, `1` or `2`. */
export function choicesOn(board: string, moves: readonly string[]): Choices {
  const mine = moves.filter((move) => move.startsWith(`${board}:`)).map((move) => move.slice(2));
  const dests: Dests = new Map();
  const drops = new Map<string, Key[]>();
  for (const move of mine) {
    const drop = move.indexOf("@");
    const [from, to] = (drop > 0 ? [move.slice(0, drop), move.slice(drop + 1)] : [move.slice(0, 2), move.slice(2, 4)]) as [Key, Key];
    const under: Map<string, Key[]> = drop > 0 ? drops : dests;
    const known = under.get(from);
    if (!known) under.set(from, [to]);
    else if (!known.includes(to)) known.push(to);
  }
  const all = new Set(mine);
  return { dests, drops, has: (move) => all.has(move) };
}

/** The squares of a move, to be shown as the last one. */
export function squaresOf(move: string): Key[] {
  const drop = move.indexOf("@");
  return (drop > 0 ? [move.slice(drop + 1)] : [move.slice(0, 2), move.slice(2, 4)]) as Key[];
}

const PIECES: Record<string, string> = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };

/** A move in words: `e2 to e4`, `drops a knight on f3`. */
export function sayMove(text: string): string {
  const move = text.slice(2);
  const where = `board ${text.charAt(0)}`;
  const drop = move.indexOf("@");
  if (drop > 0) return `${PIECES[move.charAt(0).toUpperCase()]} dropped on ${move.slice(drop + 1)}, ${where}`;
  const promoted = move.length > 4 ? `, becomes a ${PIECES[move.charAt(4).toUpperCase()]}` : "";
  return `${move.slice(0, 2)} to ${move.slice(2, 4)}${promoted}, ${where}`;
}
