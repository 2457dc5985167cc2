// Time for everything that ticks: one timer for the whole page, and only while something does.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Reading } from "./tables";

const TICK = 100; // milliseconds

export const now = signal(performance.now());
let ticking = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Redraw ten times a second while this is on. */
export function useTicking(on: boolean): void {
  useEffect(() => {
    if (!on) return;
    ticking += 1;
    timer ??= setInterval(() => (now.value = performance.now()), TICK);
    return () => {
      ticking -= 1;
      if (ticking > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [on]);
}

/** What a seat has left at `when`, in microseconds; null without clocks. */
export function leftOf(reading: Reading, seat: number, free: number, when: number): number | null {
  const left = reading.left?.[seat];
  if (left === undefined) return null;
  if (!reading.running.includes(seat)) return left;
  const spare = reading.fresh && !reading.fresh.includes(seat) ? 0 : free;
  const gone = Math.max(0, (when - reading.taken) * 1000 - spare);
  return Math.max(0, left - gone);
}

/** The part of every move that costs nothing: `5m delay 3s`. */
export function delayOf(time: string): number {
  return lengthOf(/delay (\S+)/.exec(time)?.[1] ?? "");
}

/** Below which a clock is nearly out: ten seconds, and less where there is not much more to begin with. */
export function lowOf(time: string): number {
  return Math.min(10e6, lengthOf(/^[^+/ ]+/.exec(time)?.[0] ?? "") / 3);
}

/** `1m30s` in microseconds; a bare number is seconds. */
function lengthOf(text: string): number {
  const units: Record<string, number> = { ms: 1e3, s: 1e6, m: 60e6, h: 3600e6 };
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)?/g)].reduce((sum, [, number, unit]) => sum + Number(number) * (units[unit ?? "s"] ?? 0), 0);
}
