// What is heard of a table that is shown: moves, captures, that it is my turn, that my clock is
// nearly out, the beginning and the end. Who does not see the page is told of their turn by a note.

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { leftOf, delayOf, lowOf } from "../../clock";
import { notify } from "../../notify";
import { play } from "../../sounds";
import type { Table } from "../../tables";
import type { Moment } from "../../wire";
import { outcomeOf, titleOf } from "../../words";
import { kitFor } from "./story";

const ASIDE = 0.45; // how loud a move is that changes nothing for me, like one of another board

/** Hear what is new from now on, also of what happens while the past is still on its way. */
export function useTableSounds(table: Table): void {
  useEffect(() => {
    let heard: number | null = null;
    let turn = false;
    return effect(() => {
      if (heard === null) {
        if (!table.line.value) return;
        heard = table.line.value.n;
        turn = table.myTurn.peek();
      }
      const moments = table.moments.value;
      if (!table.whole.value) return;
      const last = heard;
      const fresh = moments.filter(({ n }) => n > last);
      heard = Math.max(last, moments.at(-1)?.n ?? 0);
      const before = turn;
      turn = table.myTurn.peek();
      sound(table, fresh, before, turn);
    });
  }, [table]);
  useLow(table);
}

function sound(table: Table, fresh: readonly Moment[], before: boolean, turn: boolean): void {
  const line = table.line.peek();
  if (!line) return;
  const kit = kitFor(line.variant);
  const ended = fresh.some(({ event }) => event.type === "ended");
  const moved = fresh.filter(({ event }) => event.type === "played");
  const mine = moved.some(({ event }) => "seat" in event && event.seat === table.seat.peek());
  const came = turn && (!before || mine) && (moved.length > 0 || fresh.some(({ event }) => event.type === "started"));
  if (moved.length > 0) {
    const aside = table.seat.peek() !== null && !mine && !came && !ended;
    play(moved.some((one) => kit?.took?.(one.effects)) ? "capture" : "move", aside ? ASIDE : 1);
  }
  if (fresh.some(({ event }) => event.type === "started")) play("begin");
  else if (ended) play("end");
  else if (came) play("turn");
  if (table.seat.peek() === null) return;
  if (ended) notify(`${titleOf(line.variant)}: ${outcomeOf(line)}`, `/tables/${table.id}`);
  else if (came) notify(`It is your turn: ${titleOf(line.variant)}.`, `/tables/${table.id}`);
}

/** A warning, once each time that my running clock comes to its last seconds. */
function useLow(table: Table): void {
  useEffect(() => {
    let warned = false;
    return effect(() => {
      const reading = table.reading.value;
      const seat = table.seat.value;
      const time = table.line.value?.time ?? "none";
      if (seat === null || !table.myTurn.value) return;
      const left = leftOf(reading, seat, delayOf(time), performance.now());
      if (left === null) return;
      const spare = left - lowOf(time);
      if (spare > 0) warned = false;
      if (warned) return;
      const timer = setTimeout(() => {
        warned = true;
        play("low");
      }, Math.max(0, spare / 1000));
      return () => clearTimeout(timer);
    });
  }, [table]);
}
