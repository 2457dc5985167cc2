// A tour that starts by itself: when that is, and how long until then.

import type { TourShown } from "../../wire";

/** When a tour that has not begun starts by itself, in milliseconds since 1970; null where it does not. */
export function startsOf({ line, plan }: Pick<TourShown, "line" | "plan">): number | null {
  return line.status === "open" && plan.starts ? plan.starts / 1000 : null;
}

/** `12:03`, `1:02:03`, or `3 days`: how long it is until then. */
export function untilOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds >= 48 * 3600) return `${Math.floor(seconds / 86400)} days`;
  const two = (n: number) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
