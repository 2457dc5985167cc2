// A move that is chosen before one's turn, and played as soon as it comes, if it can be played then.

import { signal } from "@preact/signals";
import { tell } from "./announce";
import type { Table } from "./tables";

export class Premove {
  /** What was chosen; null while nothing is. */
  readonly move = signal<string | null>(null);

  constructor(private readonly table: Table) {}

  /** Choose this for one's next turn; the same once more is not to be played after all. */
  choose(move: string): void {
    this.move.value = this.move.peek() === move ? null : move;
  }

  drop(): void {
    this.move.value = null;
  }

  /** It is one's turn, and known what may be played. */
  due(): void {
    const move = this.move.peek();
    if (move === null) return;
    this.drop();
    if (this.table.legal.peek().includes(move)) void this.table.underway.play(move, true);
    else tell("The move you chose cannot be played now.");
  }
}
