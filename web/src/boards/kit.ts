// What a game's board is to the rest of the page: one component, and its moves in words.
//
// A board shows a view and nothing else. Where `moves` are given it lets one of them be chosen, by
// mouse, touch and keyboard, and hands it to `play` as text; it judges nothing by itself.

import type { ComponentType } from "preact";
import type { Kept } from "../premove";
import type { Effect, SeatLine, View } from "../wire";

/** How wide the two boards of bughouse are for their height: known before they are loaded. */
export const TWO_BOARDS = 2 / 1.24;

export interface LastMove {
  seat: number;
  move: string;
  effects: readonly Effect[];
}

export interface BoardProps<V extends View = View> {
  view: V;
  /** From whose side it is seen; null is the first seat's, or nobody's. */
  seat: number | null;
  seats: readonly SeatLine[];
  /** What may be played; empty when it is not one's turn, or one only looks on. */
  moves: readonly string[];
  last: LastMove | null;
  /** Whether it is seen from the other side than one's own. */
  flipped: boolean;
  /** A move of one's own that is on its way: drawn, though nothing came of it yet. */
  pending: string | null;
  /** Whether it is not one's turn yet, or not known what may be played, and `moves` are what may be chosen for it. */
  early: boolean;
  /** For a board that keeps by itself what is chosen for one's next turn: what that is, and null when the board goes. */
  keep?: (kept: Kept | null) => void;
  /** Says in the end whether the move was taken. */
  play: (move: string) => Promise<boolean>;
  /** For a list of tables: no coordinates, no keyboard, nothing to click. */
  small: boolean;
  /** Where a game has two boards, which alone is wanted: 0 one’s own, 1 the other; else both. */
  half?: 0 | 1;
}

export interface Kit {
  Board: ComponentType<BoardProps>;
  /** A move in words, for lists and screen readers: `d3`, `takes 3 from row 2`. */
  say: (move: string, view: View | null) => string;
  /** The same for a list, where its words are long: `3 from row 2`. */
  brief?: (move: string) => string;
  /** What this seat's move led to that must not be missed, from the board after it: `check`; else empty. */
  after?: (seat: number, view: View) => string;
  /** What its effects come to, in a list (`+2`) and read out (`for 2 fish`). */
  gained?: (effects: readonly Effect[]) => { brief: string; said: string };
  /** What this seat may want to play next, before it knows: all that could be a move then. */
  early?: (view: View, seat: number) => readonly string[];
  /**
   * The same for boards on which nothing is chosen before one's turn, since the other's move changes what a
   * choice means: what may be clicked in one's turn until it is known what may be played. `before` could be last time.
   */
  learning?: (view: View, before: readonly string[]) => readonly string[];
  /** Whether a move of these effects took something, which sounds different. */
  took?: (effects: readonly Effect[]) => boolean;
  /** The board in a sentence or two, for who cannot see it. */
  describe: (view: View, seats: readonly SeatLine[]) => string;
  /** What whoever is on turn has to do, in a line above the board; `mine` is told so. Only where the board does not show it. */
  todo?: (view: View, seats: readonly SeatLine[], mine: number | null) => string;
  /** By seat, what the score chart draws and the seats show; null for games without scores. */
  scores: (view: View) => number[] | null;
  /** What the scores count: `discs`, `fish`, `material`. */
  unit: string;
  /** Whether it can be seen from the other side. */
  flips?: boolean;
  /** Whether scores are what one is ahead, with a sign. */
  ahead?: boolean;
  /** Whether it is said by how much the first is ahead. */
  leads?: boolean;
  /** The seats at each board, where there are several: moves are listed and counted by board. */
  boards?: readonly (readonly number[])[];
  /** How wide a board is for its height, so that its place is kept before it is there. */
  ratio: (variant: string) => number;
}
