// Says what happens at a table to whoever cannot see it, names the tab after whose turn it is, and
// goes along to the rematch.

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { announce } from "../../announce";
import * as me from "../../me";
import { go } from "../../route";
import * as tab from "../../tab-title";
import type { Table } from "../../tables";
import type { Moment, TableLine } from "../../wire";
import { capital, eventOf, listOf, outcomeOf, titleOf, whoOf } from "../../words";
import { passesOf, sayPass } from "./passes";
import { kitFor, ledTo, offeredBefore, sayStep, stepsOf } from "./story";

const SAID = new Set(["started", "played", "out", "ended", "taken_over", "draw_offered", "draw_declined", "takeback_asked", "takeback_declined", "taken_back", "said", "rematch_wished", "sat"]);

/** Speak of what is new from now on. */
export function useSpeaker(table: Table): void {
  useEffect(() => {
    let heard: number | null = null; // up to which event all was there, or was said
    let turn = false; // whether it was my turn then
    return effect(() => {
      const moments = table.moments.value;
      if (!table.whole.value) return;
      const since = heard;
      heard = moments.at(-1)?.n ?? 0;
      const line = table.line.peek();
      if (since === null && table.myTurn.peek()) {
        turn = true; // who comes to a game that has begun is told at once
        announce("Your turn.");
      }
      if (since === null || !line) return;
      const fresh = moments.filter((moment) => moment.n > since);
      const words = fresh.map((moment) => wordsFor(table, line, moments, moment)).filter(Boolean);
      // In bughouse the other board moves while it is my turn; if I moved, or passed, it came anew.
      const before = turn && !stepsOf(fresh).some(({ event }) => "seat" in event && event.seat === table.seat.peek());
      turn = table.myTurn.peek();
      if (stepsOf(fresh).length > 0 && turn && !before) words.push("Your turn.");
      if (words.length > 0) announce(words.join(" "));
      const next = fresh.find(({ event }) => event.type === "rematched")?.event;
      if (next?.type === "rematched" && table.seat.peek() !== null) queueMicrotask(() => go(`/tables/${next.table}`));
    });
  }, [table]);
}

function wordsFor(table: Table, line: TableLine, moments: readonly Moment[], { n, event }: Moment): string {
  if (!SAID.has(event.type)) return "";
  const mine = table.seat.peek();
  if (event.type === "said" && event.player === me.player.peek()) return "";
  if (event.type === "ended") return `${eventOf(event, line.seats, "")} ${outcomeOf({ ...line, outcome: event.outcome })}`;
  const steps = stepsOf(moments);
  const index = steps.findIndex((step) => step.n === n);
  const own = "seat" in event && event.seat === mine && event.type !== "out"; // who did it knows
  const offered = event.type === "draw_offered" && offeredBefore(line.variant, moments, n);
  const words = own ? capital(ledTo(kitFor(line.variant), steps[index])) : eventOf(event, line.seats, sayStep(kitFor(line.variant), steps, index), offered);
  const passes = index < 0 ? [] : (passesOf(steps)[index] ?? []).map((pass) => sayPass(pass, whoOf(line.seats[pass.seat]), mine));
  return [words, ...passes]
    .filter(Boolean)
    .map((said) => (/[.!?]$/.test(said) ? said : `${said}.`))
    .join(" ");
}

/** The tab's name. */
export function useTabTitle(table: Table, line: TableLine | null): void {
  const acts = table.toAct.value;
  const mine = table.myTurn.value;
  let text = `Table ${table.id}`;
  if (line) {
    const game = titleOf(line.variant);
    const whose = listOf(acts.map((seat) => whoOf(line.seats[seat])));
    if (line.status === "over") text = `${outcomeOf(line).replace(/\.$/, "")} · ${game}`;
    else if (line.status === "playing") text = `${mine ? "Your turn" : whose ? `${whose} to move` : "Playing"} · ${game}`;
    else text = `${line.status === "open" ? "Waiting" : "Closed"} · ${game}`;
  }
  useEffect(() => {
    tab.shown.value = text;
    tab.turnHere.value = mine;
    return () => {
      tab.turnHere.value = false;
    };
  }, [text, mine]);
}
