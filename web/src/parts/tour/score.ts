// Points and results of matches, worked out from what the server tells of each.

import type { MatchLine, Worth } from "../../wire";

export type Result = NonNullable<MatchLine["result"]>;

/** Points as people write them: `0`, `½`, `2½`. */
export function halves(points: number): string {
  const whole = Math.floor(points);
  if (points - whole === 0.5 && points > 0) return `${whole || ""}½`;
  return String(Math.round(points * 100) / 100);
}

/** What a win, a draw and a loss are worth: `1-0.5-0`. */
export function worths(text: string): [number, number, number] {
  const [win = 1, draw = 0.5, loss = 0] = text.split("-").map(Number);
  return [win, draw, loss];
}

/** The points of each side, as if each team had met each other team by itself; a bye is a win, or what it was given for. */
export function shares(result: Result, sides: readonly number[], teams: readonly number[], [win, draw, loss]: [number, number, number], rest?: Worth): number[] {
  if (sides.length === 1) return [rest === "zero" ? 0 : rest === "half" ? draw : win];
  const places = result.places;
  const team = (side: number) => teams[side] ?? side;
  const won = places.includes(1);
  return sides.map((_, side) => {
    const others = new Map(sides.map((__, other) => [team(other), places[other] ?? 0] as const));
    others.delete(team(side));
    let sum = 0;
    for (const place of others.values()) {
      const ahead = place - (places[side] ?? 0);
      sum += !won || ahead < 0 ? loss : ahead === 0 ? draw : win;
    }
    return sum;
  });
}

export type Came = "" | "won" | "drawn" | "lost" | "bye";

/** How a match came out for one side of it. */
export function cameOut(match: MatchLine, side: number): Came {
  const result = match.result;
  if (!result) return "";
  if (result.how === "bye") return "bye";
  if (result.places[side] !== 1) return "lost";
  return result.places.every((place) => place === 1) ? "drawn" : "won";
}

/** Whether a result is of a match that nobody played. */
export function unplayed(match: MatchLine): boolean {
  return match.result?.how === "absent" || match.result?.how === "withdrawn";
}

const WITHOUT: Record<string, string> = {
  bye: "A bye.",
  absent: "Walkover: somebody did not come.",
  withdrawn: "Walkover: somebody is out of the tour.",
};

/** Why a match came out as it did. */
export function reasonOf(match: MatchLine): string {
  const result = match.result;
  if (!result) return "";
  if (result.reason && !unplayed(match)) return result.reason;
  return WITHOUT[result.how] ?? result.reason ?? "";
}

export interface Leg {
  text: string;
  table: number | null;
}

/** What each entrant got from each, as the exports write it: 1, ½, 0; + and - without a game. */
export function crossLegs(matches: readonly MatchLine[]): Map<string, Leg[]> {
  const legs = new Map<string, Leg[]>();
  for (const match of matches) {
    for (const [side, one] of match.sides.entries()) {
      for (const [against, other] of match.sides.entries()) {
        if (one === other || (match.teams.length > 0 && match.teams[side] === match.teams[against])) continue;
        const key = `${one}:${other}`;
        const found = legs.get(key) ?? [];
        found.push({ text: leg(match, side, against), table: match.table });
        legs.set(key, found);
      }
    }
  }
  return legs;
}

function leg(match: MatchLine, side: number, against: number): string {
  if (!match.result) return match.status === "playing" ? "*" : "·";
  const { places } = match.result;
  const [mine = 0, theirs = 0] = [places[side], places[against]];
  if (!places.includes(1) || mine > theirs) return unplayed(match) ? "−" : "0";
  if (mine === theirs) return "½";
  return unplayed(match) ? "+" : "1";
}

/** Many legs in one: `3½/5`. */
export function legSum(legs: readonly Leg[]): string {
  const worth: Record<string, number> = { "1": 1, "+": 1, "½": 0.5, "0": 0, "−": 0 };
  const out = legs.map((one) => worth[one.text]).filter((value) => value !== undefined);
  return `${halves(out.reduce((sum, value) => sum + value, 0))}/${out.length}`;
}

/** Matches by round, the first first. */
export function byRound(matches: readonly MatchLine[]): [number, MatchLine[]][] {
  const rounds = new Map<number, MatchLine[]>();
  for (const match of matches) rounds.set(match.round, [...(rounds.get(match.round) ?? []), match]);
  return [...rounds].sort(([a], [b]) => a - b);
}
