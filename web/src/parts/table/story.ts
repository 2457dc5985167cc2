// What a table's moments amount to: its steps, the moves in rows, who offers a draw, whose it is.
// Nothing here keeps anything; all is read off the events.

import { kitOf } from "../../boards";
import type { Kit, LastMove } from "../../boards/kit";
import { gameFor } from "../../games";
import type { Moment, TableEvent } from "../../wire";
import { variantOf } from "../../words";
import { type Pass, passesOf } from "./passes";

const STEPS = new Set<TableEvent["type"]>(["started", "played", "out", "ended", "taken_over"]);

type Of<T extends TableEvent["type"]> = Extract<TableEvent, { type: T }>;

/** The moments that changed something on the board or among the players; moves taken back did not. */
export function stepsOf(moments: readonly Moment[]): Moment[] {
  const steps: Moment[] = [];
  for (const moment of moments) {
    const { event } = moment;
    if (STEPS.has(event.type)) steps.push(moment);
    else if (event.type === "taken_back") {
      for (let n = 0; n < event.plies; n++) steps.splice(steps.findLastIndex((step) => step.event.type === "played"), 1);
    }
  }
  return steps;
}

/** Who asks for a move back, and who has asked for one since the last move. */
export function takebackOf(moments: readonly Moment[]): { open: number | null; asked: Set<number> } {
  let open: number | null = null;
  let asked = new Set<number>();
  for (const { event } of moments) {
    if (event.type === "takeback_asked") {
      open = event.seat;
      asked.add(event.seat);
    } else if (event.type === "takeback_declined") open = null;
    else if (event.type === "played" || event.type === "taken_back") {
      open = null;
      asked = new Set();
    }
  }
  return { open, asked };
}

/** The last event of a type, or null. */
export function lastOf<T extends TableEvent["type"]>(moments: readonly Moment[], type: T): Of<T> | null {
  return (moments.findLast((moment) => moment.event.type === type)?.event as Of<T> | undefined) ?? null;
}

/** The last move up to a step, of all or of these seats. */
export function moveUpTo(steps: readonly Moment[], index: number, seats?: readonly number[]): LastMove | null {
  for (let i = index; i >= 0; i--) {
    const moment = steps[i];
    if (moment?.event.type !== "played" || !moment.event.move || seats?.includes(moment.event.seat) === false) continue;
    return { seat: moment.event.seat, move: moment.event.move, effects: moment.effects };
  }
  return null;
}

/** How many moves were played up to a step. */
export function movesUpTo(steps: readonly Moment[], index: number): number {
  return steps.slice(0, index + 1).filter((moment) => moment.event.type === "played").length;
}

/** The move of a step in words, from the board as it was before, and what it led to; empty where it is none. */
export function sayStep(kit: Kit | null, steps: readonly Moment[], index: number): string {
  const event = steps[index]?.event;
  if (event?.type !== "played") return "";
  const said = event.move && (kit?.say(event.move, steps[index - 1]?.view ?? null) ?? event.move); // secret moves are empty
  return [said, kit?.gained?.(steps[index]!.effects).said, ledTo(kit, steps[index])].filter(Boolean).join(", ");
}

/** What the move of this moment led to, in a word. */
export function ledTo(kit: Kit | null, moment: Moment | undefined): string {
  return moment?.event.type === "played" && moment.view ? (kit?.after?.(moment.event.seat, moment.view) ?? "") : "";
}

/** The move of a step for a list: short, where its words are long. */
export function briefStep(kit: Kit | null, steps: readonly Moment[], index: number): string {
  const event = steps[index]?.event;
  if (event?.type === "played" && steps[index]?.said) return steps[index].said;
  if (event?.type !== "played" || !event.move || !kit?.brief) return sayStep(kit, steps, index);
  const gained = kit.gained?.(steps[index]!.effects).brief;
  return kit.brief(event.move) + (gained ? ` ${gained}` : "") + (ledTo(kit, steps[index]) ? "+" : "");
}

export interface Row {
  number: number;
  /** By seat, the index of the step; null where that seat did not move in this row. */
  moves: (number | null)[];
  /** Who was passed over in this row. */
  passes: Pass[];
  /** A step that is no move stands in a row of its own. */
  other: number | null;
}

/** Moves in rows, one column a seat; of these seats alone, where a game has several boards. */
export function rowsOf(steps: readonly Moment[], seats: number, of?: readonly number[]): Row[] {
  const rows: Row[] = [];
  const passes = passesOf(steps);
  let number = 0;
  const rowFor = (seat: number): Row => {
    const last = rows.at(-1);
    const full = !last || last.other !== null || last.moves.slice(seat).some((step) => step !== null) || last.passes.some((pass) => pass.seat >= seat);
    if (!full) return last;
    const row = { number: ++number, moves: Array.from({ length: seats }, () => null), passes: [], other: null };
    rows.push(row);
    return row;
  };
  for (const [index, { event }] of steps.entries()) {
    if (of && (event.type !== "played" || !of.includes(event.seat))) continue;
    if (event.type === "out" && steps[index + 1]?.event.type === "ended") continue; // it says the same
    if (event.type === "played") rowFor(event.seat).moves[event.seat] = index;
    else rows.push({ number, moves: [], passes: [], other: index });
    for (const pass of passes[index] ?? []) rowFor(pass.seat).passes.push(pass);
  }
  return rows;
}

/** Which team a seat plays for. */
export function teamOf(variant: string, seat: number): number {
  return gameFor(variant)?.sides.findLast((sides) => sides.length > seat)?.[seat] ?? seat;
}

/** Which teams would take a draw, and which have asked for one since the last move. */
export function offersOf(variant: string, moments: readonly Moment[]): { open: Set<number>; asked: Set<number> } {
  let open = new Set<number>();
  let asked = new Set<number>();
  for (const { event } of moments) {
    if (event.type === "draw_offered") {
      open.add(teamOf(variant, event.seat));
      asked.add(teamOf(variant, event.seat));
    } else if (event.type === "draw_declined") {
      open = new Set();
    } else if (event.type === "taken_back") {
      open = new Set();
      asked = new Set();
    } else if (event.type === "played") {
      // Who plays on without answering has declined.
      if (!open.has(teamOf(variant, event.seat))) open = new Set();
      asked = new Set();
    }
  }
  return { open, asked };
}

/** Whether a draw was open for the taking when event `n` came. */
export function offeredBefore(variant: string, moments: readonly Moment[], n: number): boolean {
  return offersOf(variant, moments.filter((moment) => moment.n < n)).open.size > 0;
}

/** Whose table it is, and so who starts it. */
export function ownerOf(moments: readonly Moment[]): number | null {
  return lastOf(moments, "owned")?.player ?? lastOf(moments, "opened")?.by ?? null;
}

/** The seats that are out of the game. */
export function outOf(moments: readonly Moment[]): Set<number> {
  return new Set(whyOut(moments).keys());
}

/** By seat that is out of the game, why, in a word or two. */
export function whyOut(moments: readonly Moment[]): Map<number, string> {
  return new Map(moments.flatMap(({ event }) => (event.type === "out" ? [[event.seat, WHY[event.why] ?? "out"] as const] : [])));
}

const WHY: Record<string, string> = { resigned: "resigned", late: "out of time", cheated: "broke the rules", gone: "gone" };

/** Whether a game goes on without who is out, so that to be out is not the same as to have lost. */
export function playsOn(variant: string): boolean {
  return gameFor(variant)?.plays_on ?? false;
}

export function kitFor(variant: string): Kit | null {
  return kitOf(variantOf(variant).game);
}
