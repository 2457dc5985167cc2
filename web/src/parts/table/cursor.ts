// Where in a game one looks: at its end, which moves on, or at a step, which stays.
//
// New moves never move who has stepped back. Playback goes from step to step as slowly as the game
// did, or faster; how far it is between two steps is known, so that clocks can tick with it.

import { computed, signal } from "@preact/signals";
import type { Table } from "../../tables";
import type { Moment } from "../../wire";
import { movesUpTo, stepsOf } from "./story";

export const SPEEDS = [0.5, 1, 2, 5, 20];
const WAIT_MAX = 2e6; // microseconds, where waits are skipped
const SHOWN_MIN = 200; // milliseconds a step is shown at the game's own speed: bots move in none

export class Cursor {
  /** The event one looks at; null is the last, whatever it is. */
  readonly at = signal<number | null>(null);
  readonly steps = computed(() => stepsOf(this.table.moments.value));
  readonly index = computed(() => {
    const at = this.at.value;
    const last = this.steps.value.length - 1;
    return at === null ? last : Math.max(0, this.steps.value.findLastIndex((step) => step.n <= at));
  });
  readonly moment = computed<Moment | null>(() => this.steps.value[this.index.value] ?? null);
  readonly live = computed(() => this.at.value === null || !this.moment.value);
  /** How many moves have come since one looked away from the end. */
  readonly missed = computed(() => {
    const steps = this.steps.value;
    return this.live.value ? 0 : movesUpTo(steps, steps.length) - this.left.value;
  });

  /** Whether one looks from the other side. */
  readonly flipped = signal(false);
  readonly playing = signal(false);
  readonly speed = signal(1);
  readonly skip = signal(true);
  /** When playback came to this part of the wait, and how much of it was over by then. */
  private readonly begun = signal({ when: 0, done: 0 });
  private readonly left = signal(0); // moves there were when one looked away

  constructor(
    readonly table: Table,
    at: number | null,
  ) {
    this.at.value = at;
  }

  /** Look at this step; the last one is followed from then on. */
  go(index: number): void {
    const steps = this.steps.peek();
    const to = Math.max(0, Math.min(index, steps.length - 1));
    if (this.live.peek()) this.left.value = movesUpTo(steps, steps.length);
    this.at.value = to >= steps.length - 1 ? null : (steps[to]?.n ?? null);
    this.begun.value = { when: performance.now(), done: 0 };
    if (this.at.value === null) this.playing.value = false;
  }

  step(by: number): void {
    this.go(this.index.peek() + by);
  }

  toEnd(): void {
    this.go(this.steps.peek().length - 1);
  }

  /** Play from here, or from the beginning where one is at the end. */
  play(): void {
    if (this.live.peek()) this.go(0);
    this.begun.value = { when: performance.now(), done: this.begun.peek().done };
    this.playing.value = true;
  }

  pause(): void {
    this.begun.value = { when: 0, done: this.done(performance.now()) };
    this.playing.value = false;
  }

  /** Play at another pace, from where one is. */
  pace(speed: number, skip: boolean): void {
    this.begun.value = { when: performance.now(), done: this.done(performance.now()) };
    this.speed.value = speed;
    this.skip.value = skip;
  }

  /** Milliseconds until the next step, in playback. */
  rest(): number {
    return this.lasting() * (1 - this.begun.value.done);
  }

  /** Microseconds of the game that are over since this step, in playback. */
  elapsed(when: number): number {
    return this.done(when) * this.wait();
  }

  /** How long the game waited after this step. */
  private wait(): number {
    const [now, next] = [this.moment.value, this.steps.value[this.index.value + 1]];
    if (!now || !next) return 0;
    const spent = "spent" in next.event ? next.event.spent : 0;
    // One who thinks alone took as long as was charged, though the server may have been down.
    return now.to_act.length === 1 && spent > 0 ? spent : Math.max(0, next.at - now.at);
  }

  /** Milliseconds that this wait takes in playback. */
  private lasting(): number {
    const wait = this.skip.value ? Math.min(this.wait(), WAIT_MAX) : this.wait();
    return Math.max(wait / 1000, SHOWN_MIN) / this.speed.value;
  }

  private done(when: number): number {
    const { when: since, done } = this.begun.value;
    if (!this.playing.value) return done;
    const lasting = this.lasting();
    return lasting > 0 ? Math.min(1, done + Math.max(0, when - since) / lasting) : 1;
  }
}
