// Who had no move and was passed over, read off the effects of the steps.
//
// In reversi one passes and plays on later. In fish who is stuck is so for good, and is passed over
// again and again: it is said once.

import type { Moment } from "../../wire";

export interface Pass {
  seat: number;
  forGood: boolean;
}

/** By step, the passes that are worth saying after it. */
export function passesOf(steps: readonly Moment[]): Pass[][] {
  const stuck = new Set<number>();
  return steps.map(({ effects }) =>
    effects.flatMap(({ type, seat }) => {
      if (typeof seat !== "number" || (type !== "passed" && type !== "skipped")) return [];
      const forGood = type === "skipped";
      if (forGood && stuck.has(seat)) return [];
      if (forGood) stuck.add(seat);
      return [{ seat, forGood }];
    }),
  );
}

/** How a seat stands after a step: a word for its name, or none. */
export function passedAt(steps: readonly Moment[], index: number, seat: number): string {
  const passes = passesOf(steps.slice(0, index + 1));
  if (passes.flat().some((pass) => pass.forGood && pass.seat === seat)) return "no more moves";
  return passes.at(-1)?.some((pass) => pass.seat === seat) ? "passed" : "";
}

/** `Bob passes`; `You pass` to who it is. */
export function sayPass({ seat, forGood }: Pass, name: string, mine: number | null): string {
  const who = seat === mine ? "You" : name;
  if (forGood) return `${who} cannot move any more`;
  return seat === mine ? "You have no move and pass" : `${who} has no move and passes`;
}
