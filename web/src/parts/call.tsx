// Calls me to a game of mine while I look at something else: one that has begun, a match of a tour
// or a table at which somebody has sat down, and one where it is my turn and my clock runs.

import { effect, signal, untracked } from "@preact/signals";
import * as line from "../line";
import * as me from "../me";
import { gone, mine } from "../mine";
import { path } from "../route";
import type { Shown, TableNews } from "../wire";
import { titleOf } from "../words";

const SOON = 800; // milliseconds in which the page may be on its way there by itself

interface Calling {
  table: number;
  text: string;
  left: number; // on my clock, in microseconds; where it does not run, for ever
}

const calls = signal<readonly Calling[]>([]);

line.listen((news) => {
  if (news.type === "news") hear(news as TableNews);
});

// Who comes back has not heard what happened meanwhile.
effect(() => {
  line.standing.value;
  me.player.value;
  untracked(() => {
    calls.value = [];
    for (const table of me.player.value === null ? [] : me.seated.value) void look(table);
  });
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") for (const table of mine.peek()) void look(table);
});

effect(() => {
  const here = path.value;
  untracked(() => (calls.value = calls.value.filter(({ table }) => here !== `/tables/${table}`)));
});

function hear({ table, event, to_act, left }: TableNews): void {
  if (!mine.peek().has(table)) drop(table);
  else if (event.type === "started") setTimeout(() => call({ table, text: `Your game at table ${table} has begun.`, left: Infinity }), SOON);
  else if (left !== null && to_act.length > 0 && !isHere(table)) void look(table);
}

/** See whether my clock runs there. */
async function look(table: number): Promise<void> {
  const shown = await line.ask<Shown>({ type: "show", table }).catch(() => null);
  if (!shown) return;
  const { seat, to_act, left } = shown;
  const { status, variant, time } = shown.line;
  if (seat === null || status === "over" || status === "closed") gone(table);
  if (status === "playing" && seat !== null && left !== null && to_act.includes(seat)) {
    call({ table, text: `Your clock runs at table ${table}: ${titleOf(variant)}, ${time}.`, left: left[seat] ?? Infinity });
  } else if (calls.value.some((one) => one.table === table && one.left < Infinity)) {
    drop(table);
  }
}

function isHere(table: number): boolean {
  return path.peek() === `/tables/${table}`;
}

function call(one: Calling): void {
  if (!isHere(one.table) && mine.peek().has(one.table)) calls.value = [...calls.value.filter(({ table }) => table !== one.table), one];
}

function drop(table: number): void {
  if (calls.value.some((one) => one.table === table)) calls.value = calls.value.filter((one) => one.table !== table);
}

export function Call() {
  const [first] = [...calls.value].sort((a, b) => a.left - b.left || a.table - b.table);
  return (
    <div role="status">
      {first && (
        <p class="call">
          {first.text}
          <a class="button main" href={`/tables/${first.table}`}>
            Play
          </a>
          <button type="button" class="quiet" onClick={() => drop(first.table)}>
            Later
          </button>
        </p>
      )}
    </div>
  );
}
