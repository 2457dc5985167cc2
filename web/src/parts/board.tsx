// A table's board, whatever its game; its place is kept while it is loaded.

import { kitOf, ratioOf } from "../boards";
import type { LastMove } from "../boards/kit";
import type { Kept } from "../premove";
import type { SeatLine, View } from "../wire";
import { gameOf, variantOf } from "../words";

const nowhere = () => Promise.resolve(false);

interface Props {
  variant: string;
  view: View | null;
  seat?: number | null;
  seats: readonly SeatLine[];
  moves?: readonly string[];
  last?: LastMove | null;
  /** Whether one looks from the other side. */
  flipped?: boolean;
  /** A move that is on its way, and drawn as such. */
  pending?: string | null;
  /** Whether the moves are for one's next turn. */
  early?: boolean;
  /** Told of what the board keeps by itself for that. */
  keep?: (kept: Kept | null) => void;
  play?: (move: string) => Promise<boolean>;
  small?: boolean;
  /** Of a game with two boards, one alone: 0 one’s own, 1 the other. */
  half?: 0 | 1;
}

export function Board({ variant, view, seat = null, seats, moves = [], last = null, flipped = false, pending = null, early = false, keep, play = nowhere, small = false, half }: Props) {
  const { game } = variantOf(variant);
  const kit = kitOf(game);
  const ratio = ratioOf(variant) / (half === undefined ? 1 : 2);
  return (
    <div class={small ? "place place-small" : "place"} style={{ aspectRatio: String(ratio) }} data-game={game}>
      {kit && view ? (
        <kit.Board view={view} seat={seat} seats={seats} moves={moves} last={last} flipped={flipped} pending={pending} early={early} play={play} small={small} {...(keep ? { keep } : {})} {...(half === undefined ? {} : { half })} />
      ) : (
        <p class="waiting">{view ? "The board is coming…" : `${gameOf(game)} has not begun.`}</p>
      )}
    </div>
  );
}
