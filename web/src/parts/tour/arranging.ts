// What is arranged by hand for rounds to come of a swiss, in words, and when there is something to.

import type { Arrangement, MatchLine, TourShown, Worth } from "../../wire";
import { formatOf } from "./formats";
import { type Names, nameOf } from "./names";

/** What a round is worth to one who sits it out. */
export const WORTHS: Record<Worth, string> = { half: "for the points of a draw", full: "for the points of a win", zero: "for nothing" };

/** Whether rounds are still to be paired, and by a format in which something can be arranged. */
export function arrangeable({ line }: TourShown): boolean {
  return formatOf(line.format).name === "swiss" && ["open", "running", "paused"].includes(line.status) && line.entrants > 1;
}

/** The first round that is not paired yet. */
export function nextRound(matches: readonly MatchLine[]): number {
  return matches.reduce((last, match) => Math.max(last, match.round), 0) + 1;
}

/** Whether it is about rounds to come: what is past cannot be taken back. */
export function toCome(what: Arrangement, next: number): boolean {
  return what.type === "apart" || what.round >= next;
}

export function arrangedWords(what: Arrangement, names: Names): string {
  const name = (entrant: number) => nameOf(names, entrant);
  switch (what.type) {
    case "meet":
      return `${name(what.sides[0])} meets ${name(what.sides[1])} in round ${what.round}`;
    case "apart":
      return `${name(what.entrants[0])} and ${name(what.entrants[1])} do not meet`;
    case "rest":
      return `${name(what.entrant)} sits out round ${what.round} ${WORTHS[what.worth]}`;
  }
}
