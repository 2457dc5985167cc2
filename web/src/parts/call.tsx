// Calls me to a game of mine while I look at something else: one that has begun, a match of a tour
// or a table at which somebody has sat down, and one where it is my turn. A call is heard, and the
// tab says it too; on the page it stands in the head, where it covers nothing of a game.

import { effect, signal, untracked } from "@preact/signals";
import * as line from "../line";
import * as me from "../me";
import { gone, mine } from "../my-tables";
import { notify } from "../notify";
import { path } from "../route";
import { play } from "../sounds";
import * as tab from "../tab-title";
import type { Shown, TableNews } from "../wire";
import { titleOf } from "../words";

const SOON = 800; // milliseconds in which the page may be on its way there by itself

interface Calling {
  table: number;
  text: string;
  kind: "begun" | "turn";
  left: number; // on my clock, in microseconds; where it does not run, for ever
  n: number; // of the event that it is about
}

export const calls = signal<readonly Calling[]>([]);
const later = new Map<number, number>(); // by table, the event of a call that was put off

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

effect(() => {
  const first = sorted(calls.value)[0];
  tab.called.value = first ? (first.kind === "turn" ? "Your turn" : "Your game begins") : "";
});

function hear({ table, n, event, to_act }: TableNews): void {
  if (!mine.peek().has(table)) drop(table);
  else if (event.type === "started") setTimeout(() => call({ table, n, text: `Your game at table ${table} has begun.`, kind: "begun", left: Infinity }), SOON);
  else if (to_act.length > 0 && !isHere(table)) void look(table);
}

/** See whether it is my turn there. */
async function look(table: number): Promise<void> {
  const shown = await line.ask<Shown>({ type: "show", table }).catch(() => null);
  if (!shown) return;
  const { seat, to_act, left } = shown;
  const { n, status, variant, time } = shown.line;
  if (seat === null || status === "over" || status === "closed") gone(table);
  if (status === "playing" && seat !== null && to_act.includes(seat)) {
    const clock = left?.[seat];
    const text = clock === undefined ? `It is your turn at table ${table}: ${titleOf(variant)}.` : `Your clock runs at table ${table}: ${titleOf(variant)}, ${time}.`;
    call({ table, n, text, kind: "turn", left: clock ?? Infinity });
  } else if (calls.value.some((one) => one.table === table && one.kind === "turn")) {
    drop(table);
  }
}

function isHere(table: number): boolean {
  return path.peek() === `/tables/${table}`;
}

function call(one: Calling): void {
  if (isHere(one.table) || !mine.peek().has(one.table) || later.get(one.table) === one.n) return;
  const known = calls.peek().some(({ table, kind }) => table === one.table && kind === one.kind);
  calls.value = [...calls.peek().filter(({ table }) => table !== one.table), one];
  if (known) return;
  play(one.kind === "turn" ? "turn" : "begin");
  notify(one.text, `/tables/${one.table}`);
}

function drop(table: number): void {
  if (calls.value.some((one) => one.table === table)) calls.value = calls.value.filter((one) => one.table !== table);
}

/** Not now: nor the others, if no clock runs. They come again when something happens there. */
function putOff(first: Calling): void {
  const off = first.left < Infinity ? [first] : calls.peek();
  for (const { table, n } of off) {
    later.set(table, n);
    drop(table);
  }
}

/** The most urgent first: by clock, then what has begun. */
function sorted(all: readonly Calling[]): Calling[] {
  const rank = ({ kind }: Calling) => (kind === "begun" ? 0 : 1);
  return [...all].sort((a, b) => (a.left === b.left ? 0 : a.left - b.left) || rank(a) - rank(b) || a.table - b.table);
}

export function Call() {
  const [first, ...more] = sorted(calls.value);
  return (
    <div role="status" class={first ? "call" : "unseen"}>
      {first && (
        <>
          <p class="call-text">
            {first.text}
            {more.length > 0 && ` And ${more.length} more.`}
          </p>
          <a class="button main" href={`/tables/${first.table}`}>
            Play
          </a>
          <button type="button" class="quiet" onClick={() => putOff(first)}>
            Later
          </button>
        </>
      )}
    </div>
  );
}
