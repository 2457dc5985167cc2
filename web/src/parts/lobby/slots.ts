// Which tables are shown as small boards: each keeps its place as long as it is played, and a
// moment longer, so that its end can be seen; then another one takes just that place.

import { useEffect, useState } from "preact/hooks";
import type { TableLine } from "../../wire";

const LINGER = 6000; // milliseconds that an ended game is still shown

export interface Slot {
  line: TableLine;
  gone: number | null; // when it was last not among those that are played
}

/** Up to so many of these tables, in places that do not change. */
export function useSlots(lines: readonly TableLine[], most: number): readonly Slot[] {
  const [slots, setSlots] = useState<readonly Slot[]>([]);
  useEffect(() => setSlots((old) => settle(old, lines, most, Date.now())), [lines, most]);
  return slots;
}

function settle(old: readonly Slot[], lines: readonly TableLine[], most: number, now: number): Slot[] {
  const found = new Map(lines.map((line) => [line.table, line]));
  const kept = old.slice(0, most).map(({ line, gone }): Slot | null => {
    const fresh = found.get(line.table);
    if (fresh) return { line: fresh, gone: null };
    return gone !== null && now - gone > LINGER ? null : { line, gone: gone ?? now };
  });
  const shown = new Set(kept.map((slot) => slot?.line.table));
  const waiting = lines.filter((line) => !shown.has(line.table)).sort(byInterest);
  const filled = kept.map((slot) => slot ?? fill(waiting));
  while (filled.length < most && waiting.length > 0) filled.push(fill(waiting));
  return filled.filter((slot) => slot !== null);
}

function fill(waiting: TableLine[]): Slot | null {
  const line = waiting.shift();
  return line ? { line, gone: null } : null;
}

/** Games with people first, then the newest. */
function byInterest(a: TableLine, b: TableLine): number {
  return people(b) - people(a) || b.table - a.table;
}

function people(line: TableLine): number {
  return line.seats.filter((seat) => !seat.bot).length;
}
