// The tables where I sit and that are not over: as the server greets me, and by the news since then.

import { effect, signal } from "@preact/signals";
import * as line from "./line";
import * as me from "./me";
import type { TableNews } from "./wire";

export const mine = signal<ReadonlySet<number>>(new Set());

effect(() => {
  mine.value = new Set(me.player.value === null ? [] : me.seated.value);
});

line.listen((news) => {
  if (news.type === "news") hear(news as TableNews);
});

/** I do not sit there any more. */
export function gone(table: number): void {
  if (mine.peek().has(table)) mine.value = new Set([...mine.peek()].filter((one) => one !== table));
}

function hear({ table, event }: TableNews): void {
  if (event.type === "sat" && event.player === me.player.peek()) mine.value = new Set([...mine.peek(), table]);
  else if (event.type === "left" && event.player === me.player.peek()) gone(table);
  else if (event.type === "ended" || event.type === "closed") gone(table);
}
