// A move that is chosen before one's turn, and played as soon as it comes, if it can be played then.

import { computed, signal } from "@preact/signals";
import { tell } from "./announce";
import type { Table } from "./tables";

/** What a board keeps by itself for one's next turn, since it draws that too. */
export interface Kept {
  /** What is said of it; empty while nothing is chosen, or the board has not said so yet. */
  words: string;
  cancel: () => void;
}

interface Chosen {
  move: string;
  seat: number | null;
  /** Whether it was chosen in the other's turn. In one's own it is asked about like any other. */
  ahead: boolean;
}

export class Premove {
  private readonly chosen = signal<Chosen | null>(null);
  /** What was chosen; null while nothing is. */
  readonly move = computed(() => this.chosen.value?.move ?? null);
  /** What the board keeps instead; null where no board does. */
  readonly kept = signal<Kept | null>(null);

  constructor(private readonly table: Table) {}

  /** Choose this for one's next turn; the same once more is not to be played after all. */
  choose(move: string): void {
    const { line, seat, myTurn, learning } = this.table;
    if (line.peek()?.status !== "playing") return;
    const again = this.move.peek() === move;
    this.chosen.value = again ? null : { move, seat: seat.peek(), ahead: !myTurn.peek() };
    // A drag may have begun before the turn, and end in it.
    if (myTurn.peek() && !learning.peek()) this.due();
  }

  drop(): void {
    const kept = this.kept.peek();
    this.chosen.value = null;
    this.kept.value = kept && { ...kept, words: "" };
    kept?.cancel();
  }

  /** The board keeps this by itself, or is there no more. */
  readonly keep = (kept: Kept | null): void => {
    this.kept.value = kept;
  };

  /** Who sits there has moved, perhaps in another tab: what was chosen was for before that. */
  moved(seat: number): void {
    if (this.chosen.peek()?.seat === seat) this.drop();
  }

  /** The game went on unheard: nobody knows whether it would still be meant. */
  lose(): void {
    if (this.move.peek() === null && !this.kept.peek()?.words) return;
    this.drop();
    tell("The move you chose is not played: the game went on while you were away.");
  }

  /** It is one's turn, and known what may be played. */
  due(): void {
    const chosen = this.chosen.peek();
    if (chosen === null) return;
    this.drop();
    if (this.table.legal.peek().includes(chosen.move)) void this.table.underway.play(chosen.move, chosen.ahead);
    else tell("The move you chose cannot be played now.");
  }
}
