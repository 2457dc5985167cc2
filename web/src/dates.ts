// Tours that I have joined and that start by themselves: kept by the browser, so that the page can
// remind me wherever I am in it, shortly before the start.

import { computed, effect, signal, untracked } from "@preact/signals";
import * as line from "./line";
import * as me from "./me";
import { startsOf } from "./parts/tour/starts";
import type { TourShown } from "./wire";

const KEEP = "rookery.dates";
const SOON = 5 * 60_000; // milliseconds before the start
const LOOK = 5_000; // milliseconds between two looks at the clock

interface Appointment {
  tour: number;
  name: string;
  at: number;
}

const dates = signal<readonly Appointment[]>([]);
const now = signal(Date.now());
const seen = signal<ReadonlySet<number>>(new Set()); // tours whose reminder was put off

/** What I am to be reminded of now; the first to start first. */
export const reminders = computed(() =>
  [...dates.value]
    .sort((a, b) => a.at - b.at)
    .filter(({ tour, at }) => at - SOON <= now.value && now.value < at && !seen.value.has(tour))
    .map(({ tour, name, at }) => ({ tour, name, left: at - now.value })),
);

/** Not again for this. */
export function putOff(tour: number): void {
  seen.value = new Set([...seen.value, tour]);
}

/** I have joined this tour: whether it has a time to start is seen then. */
export function remember(tour: number): void {
  keep([...new Set([...kept(), tour])]);
  void look(tour);
}

effect(() => {
  line.standing.value;
  const player = me.player.value;
  untracked(() => {
    if (player !== null && line.state.value === "up") for (const tour of kept()) void look(tour);
  });
});

line.listen((news) => {
  const { tour } = news as { tour?: number };
  if (news.type === "tour_news" && tour !== undefined && dates.peek().some((one) => one.tour === tour)) void look(tour);
});

setInterval(() => {
  if (dates.peek().length > 0) now.value = Date.now();
}, LOOK);

/** See when this tour starts, and whether I am in it still. */
async function look(tour: number): Promise<void> {
  const shown = await line.ask<TourShown>({ type: "show_tour", tour }).catch(() => null);
  if (!shown) return;
  const mine = shown.entrants.find((one) => !one.out && one.players.some(({ player }) => player === me.player.peek()));
  const at = startsOf(shown);
  const others = dates.peek().filter((one) => one.tour !== tour);
  if (!mine || at === null) {
    dates.value = others;
    keep(kept().filter((one) => one !== tour));
    return;
  }
  now.value = Date.now();
  dates.value = [...others, { tour, name: shown.line.name || `Tour ${tour}`, at }];
}

function kept(): number[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEEP) ?? "[]");
    return Array.isArray(found) ? found.filter((one): one is number => typeof one === "number").slice(-20) : [];
  } catch {
    return [];
  }
}

function keep(tours: readonly number[]): void {
  try {
    localStorage.setItem(KEEP, JSON.stringify(tours));
  } catch {
    // A browser that keeps nothing: reminders hold until the tab closes.
  }
}
