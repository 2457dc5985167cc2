// Calls me to a game of mine that has begun while I look at something else: a match of a tour, or
// a table at which somebody has sat down.

import { effect, signal } from "@preact/signals";
import * as line from "../line";
import * as me from "../me";
import { path } from "../route";
import type { TableNews } from "../wire";

const SOON = 800; // milliseconds in which the page may be on its way there by itself

const begun = signal<number | null>(null);
const mine = new Set<number>(); // tables where I have sat down and that have not begun

line.listen((news) => {
  if (news.type === "news") hear(news as TableNews);
});

effect(() => {
  if (path.value === `/tables/${begun.value}`) begun.value = null;
});

function hear({ table, event }: TableNews): void {
  if (event.type === "sat" && event.player === me.player.peek()) mine.add(table);
  else if (event.type === "started" && mine.delete(table)) setTimeout(() => call(table), SOON);
  else if (event.type === "ended" && begun.peek() === table) begun.value = null;
}

function call(table: number): void {
  if (path.peek() !== `/tables/${table}`) begun.value = table;
}

export function Call() {
  const table = begun.value;
  return (
    <div role="status">
      {table !== null && (
        <p class="call">
          Your game at table {table} has begun.
          <a class="button main" href={`/tables/${table}`}>
            Play
          </a>
        </p>
      )}
    </div>
  );
}
