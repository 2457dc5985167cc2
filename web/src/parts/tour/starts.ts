// A tour that starts by itself: when that is, and who has said by then that they are there.

import type { TourShown } from "../../wire";

export interface Starts {
  /** When it starts, and from when on one checks in, in milliseconds since 1970. */
  at: number;
  checks: number | null;
}

/** When a tour that has not begun starts by itself; null where it does not. */
export function startsOf({ line, plan }: Pick<TourShown, "line" | "plan">): Starts | null {
  if (line.status !== "open" || !plan.starts) return null;
  const at = plan.starts / 1000;
  return { at, checks: plan.check_in ? at - plan.check_in / 1000 : null };
}

/** Whether one checks in now. */
export function isChecking(starts: Starts | null, now: number): boolean {
  return starts !== null && starts.checks !== null && starts.checks <= now;
}

/** `12:03`, `1:02:03`, or `3 days`: how long it is until then. */
export function untilOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds >= 48 * 3600) return `${Math.floor(seconds / 86400)} days`;
  const two = (n: number) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
