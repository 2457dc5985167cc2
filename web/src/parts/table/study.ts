// What a position is worth and what a move has cost: numbers about a game, kept by nobody.

import { get } from "../../api";
import { withCode } from "../../codes";
import type { Analysis, Moment, Outcome } from "../../wire";

/** Where a question about a position goes: after event `n`, and after moves tried from there. */
export function addressOf(what: "analysis" | "tryout", table: number, n: number, tried: readonly string[] = [], quick = false): string {
  const asked = new URLSearchParams({ n: String(n) });
  if (tried.length > 0) asked.set("moves", tried.join("\n"));
  if (quick) asked.set("quick", "true");
  return withCode(`/api/tables/${table}/${what}?${asked}`, table);
}

/** How sure an analysis is, in words. */
export function depthOf({ depth, exact, tried }: Analysis): string {
  if (exact) return "proved to the end of the game";
  return tried ? `${depth.toLocaleString("en")} lines tried` : `${depth} ${depth === 1 ? "move" : "moves"} ahead`;
}

/** What this is worth to a seat, in a game of two. */
export function worthTo(seat: number, { seat: mover, worth }: Pick<Analysis, "seat" | "worth">): number {
  return seat === mover ? worth : 1 - worth;
}

/** What an end is worth to a seat. */
export function worthOfEnd(seat: number, { places }: Outcome): number {
  const others = places.filter((_, n) => n !== seat);
  const mine = places[seat] ?? 0;
  return others.every((place) => place === mine) ? 0.5 : others.every((place) => place > mine) ? 1 : 0;
}

export interface Slip {
  /** The step at which it was played, and before which one would have to think again. */
  step: number;
  played: string;
  better: string;
  /** How much it cost, of all there is to win. */
  cost: number;
}

/** What a move cost: nothing where it was the best, never less than nothing. */
export function costOf(before: Analysis, played: string, after: number): number {
  if (before.choices[0]?.move === played) return 0;
  const listed = before.exact ? undefined : before.choices.find(({ move }) => move === played);
  return Math.max(0, before.worth - (listed?.worth ?? after));
}

const LEAST = 0.05; // what is less has cost nothing that anybody could name
const MOST = 3; // that are named

/** The moves that cost most, the dearest first. */
export function worst(slips: readonly Slip[]): Slip[] {
  return slips.filter(({ cost }) => cost >= LEAST).sort((a, b) => b.cost - a.cost).slice(0, MOST);
}

/** Go through all moves of a seat, and say what each cost as it is found out. */
export async function* slipsOf(table: number, seat: number, steps: readonly Moment[], outcome: Outcome | null): AsyncGenerator<{ done: number; of: number; slip: Slip | null }> {
  const mine = steps.flatMap(({ event }, step) => (event.type === "played" && event.seat === seat && step > 0 ? [step] : []));
  for (const [done, step] of mine.entries()) {
    const event = steps[step]!.event;
    if (event.type !== "played") continue;
    const before = await get<Analysis>(addressOf("analysis", table, steps[step - 1]!.n, [], true)).catch(() => null);
    let slip: Slip | null = null;
    if (before?.seat === seat) {
      const last = step === steps.length - 1 || steps[step + 1]?.event.type === "ended";
      const after = last && outcome ? worthOfEnd(seat, outcome) : await get<Analysis>(addressOf("analysis", table, steps[step]!.n, [], true)).then((found) => worthTo(seat, found), () => before.worth);
      slip = { step, played: event.move, better: before.choices[0]?.move ?? "", cost: costOf(before, event.move, after) };
    }
    yield { done: done + 1, of: mine.length, slip };
  }
}
