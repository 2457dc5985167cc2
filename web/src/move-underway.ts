// A move of mine on its way: drawn on the board from the click on, until the server says what
// became of it. Where that is wanted it is asked about first; what is refused comes back.

import { computed, signal } from "@preact/signals";
import { complain } from "./announce";
import { ask } from "./line";
import { settings } from "./settings";
import { play as sound } from "./sounds";
import type { Table } from "./tables";

interface Sent {
  move: string;
  /** The last event when it was clicked. */
  n: number;
  /** Whether one is still asked if it is meant. */
  asked: boolean;
}

const FINGER = matchMedia("(pointer: coarse)");

export class MoveUnderway {
  private readonly sent = signal<Sent | null>(null);
  private answer: ((meant: boolean) => void) | null = null;

  /** The move, until it is heard of, or was refused. */
  readonly move = computed(() => {
    const sent = this.sent.value;
    if (!sent) return null;
    const heard = this.table.moments.value.some(({ n, event }) => n > sent.n && event.type === "played" && event.seat === this.table.seat.value);
    return heard ? null : sent.move;
  });
  /** Whether one is asked about it just now. */
  readonly asking = computed(() => this.move.value !== null && (this.sent.value?.asked ?? false));

  constructor(private readonly table: Table) {}

  /** Play this, once it is meant, or at once where that is known. Says in the end whether it was taken. */
  async play(move: string, meant = false): Promise<boolean> {
    if (this.move.peek() !== null) return false;
    const n = this.table.moments.peek().at(-1)?.n ?? 0;
    const asked = !meant && wantsAsking(this.table.line.peek()?.time ?? "none");
    this.sent.value = { move, n, asked };
    if (asked && !(await new Promise<boolean>((answer) => (this.answer = answer)))) {
      this.sent.value = null;
      return false;
    }
    this.sent.value = { move, n, asked: false };
    try {
      await ask({ type: "play", table: this.table.id, move });
      this.table.legal.value = [];
      return true;
    } catch (why) {
      this.sent.value = null;
      sound("low", 0.5);
      complain(why);
      return false;
    }
  }

  /** The position is another one: what is asked about was meant for that before. */
  withdraw(): void {
    if (this.asking.peek()) this.decide(false);
  }

  /** Whether the move one is asked about is meant. */
  decide(meant: boolean): void {
    this.answer?.(meant);
    this.answer = null;
  }
}

/** Whether a move at a table with this clock is to be asked about. */
function wantsAsking(time: string): boolean {
  const { confirm } = settings.peek();
  return confirm === "always" || (confirm === "phone" && FINGER.matches && time !== "none");
}
