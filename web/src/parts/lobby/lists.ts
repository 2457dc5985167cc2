// What goes on in the hall, asked for again and again while somebody looks: tables and tours.
//
// A large hall is asked less often. Of tours that are over nothing changes, so only those after
// the last unbroken run of them are asked for again.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as line from "../../line";
import type { TableLine, TourLine } from "../../wire";
import { useEvery } from "../page";

const EVERY = 2000; // milliseconds
const TABLES_A_TURN = 250; // so many tables more are one turn skipped
const TOURS_EVERY = 3; // turns

export const open = signal<readonly TableLine[] | null>(null);
export const playing = signal<readonly TableLine[] | null>(null);
export const tours = signal<readonly TourLine[] | null>(null);

type Found<K extends string, T> = { type: string; more: boolean } & Record<K, T[]>;

let busy = false;
let turn = 0;
let skip = 0;
let over = 0; // every tour up to this one is over

/** Keep the lists fresh while this is shown. */
export function useLists(): void {
  const up = line.standing.value;
  useEffect(() => {
    turn = skip = over = 0; // another server may have answered
  }, [up]);
  useEvery(EVERY, () => void look(), line.state.value === "up");
}

async function look(): Promise<void> {
  if (busy || skip-- > 0) return;
  busy = true;
  try {
    open.value = await list("open");
    playing.value = await list("playing");
    skip = Math.floor((open.value.length + playing.value.length) / TABLES_A_TURN);
    if (turn++ % TOURS_EVERY === 0) tours.value = await listTours();
  } catch {
    // The line is down: the frame says so, and what was known stays.
  } finally {
    busy = false;
  }
}

async function list(status: string): Promise<TableLine[]> {
  return (await line.ask<Found<"tables", TableLine>>({ type: "list_tables", status })).tables;
}

async function listTours(): Promise<TourLine[]> {
  const found: TourLine[] = [];
  for (let after = over, more = true; more; ) {
    const page = await line.ask<Found<"tours", TourLine>>({ type: "list_tours", after });
    found.push(...page.tours);
    more = page.more;
    after = page.tours.at(-1)?.tour ?? after;
  }
  const living = found.findIndex(isLiving);
  over = (living < 0 ? found.at(-1)?.tour : found[living - 1]?.tour) ?? over;
  return found.filter(isLiving);
}

function isLiving(tour: TourLine): boolean {
  return tour.status !== "ended" && tour.status !== "cancelled";
}
