// Who is away from a running game, since when, and what the table's policy makes of it.
//
// The server tells nobody that somebody went; who looks can see it. The grace runs from a moment
// between the look that found the player here and the one that did not. Where those are far apart,
// as after a reload, nothing is counted down.

import { effect, type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { announce } from "../../announce";
import { gameFor } from "../../games";
import { standing } from "../../line";
import type { Table } from "../../tables";
import type { SeatLine, TableLine } from "../../wire";
import { listOf, spanOf, whoOf } from "../../words";
import { lastOf, outOf, playsOn, teamOf } from "./story";

const CLOSE = 10_000; // milliseconds between two looks that tell when somebody went

/** By seat, about when its player went, by this machine's clock; null where nobody knows. */
export type Away = ReadonlyMap<number, number | null>;

/** Who is away from this table, as of the last look at it; says so when that changes. */
export function useAway(table: Table): Signal<Away> {
  const away = useSignal<Away>(new Map());
  useEffect(() => {
    let looked: readonly SeatLine[] = [];
    let stood = standing.peek();
    let seen = new Map<number, number>(); // by player
    return effect(() => {
      const line = table.line.value;
      if (stood !== standing.value) {
        stood = standing.value; // the line was down: nobody knows what was in between
        seen = new Map();
        away.value = new Map();
      }
      if (!line || line.seats === looked) return; // news tell nothing of this
      looked = line.seats;
      const [before, now] = [away.peek(), performance.now()];
      const found = new Map<number, number | null>();
      const words: string[] = [];
      for (const seat of looked) {
        if (seat.player === null) continue;
        const last = seen.get(seat.player);
        if (seat.connected) {
          seen.set(seat.player, now);
          if (before.has(seat.seat)) words.push(`${whoOf(seat)} is here again.`);
        } else {
          const known = last !== undefined && now - last < CLOSE ? (last + now) / 2 : null;
          found.set(seat.seat, before.get(seat.seat) ?? known);
        }
      }
      away.value = found;
      if (line.status !== "playing") return;
      if ([...found.keys()].some((seat) => !before.has(seat))) words.push(sayAway(table, line, found, now, true));
      if (words.length > 0) announce(words.join(" "));
    });
  }, [table]);
  return away;
}

/** The seats that play on and whose players are away. */
export function missing(table: Table, line: TableLine, away: Away): SeatLine[] {
  const out = outOf(table.moments.value);
  return line.seats.filter((seat) => away.has(seat.seat) && !out.has(seat.seat) && seat.seat !== table.seat.value);
}

/** What follows from who is away, in a sentence or two; empty where everybody is here. */
export function sayAway(table: Table, line: TableLine, away: Away, now: number, bots: boolean): string {
  const seats = missing(table, line, away);
  const [first] = seats;
  const policy = table.policy.value;
  if (!first || !policy) return "";
  const out = outOf(table.moments.value);
  const gone = `${listOf(seats.map(whoOf))} ${seats.length === 1 ? "is" : "are"} gone`;
  const takeover = policy.gone === "takeover" && bots && isOpenToBots(table, line);
  if (policy.gone === "hold") return `${gone}. The game waits${line.time === "none" ? "." : "; the clock runs on."}`;
  if (policy.gone === "at_once") return `${gone}, and ${loses(line, seats)} if not back soon.`;
  if (line.seats.every((seat) => out.has(seat.seat) || seats.includes(seat))) return "Everybody is gone. If that stays so, the game is called off.";
  if (seats.length > 1) return `${gone}. ${takeover ? "A bot plays on for who is not back in time." : `Who is not back in time ${playsOn(line.variant) ? "is out" : "loses"}.`}`;
  const since = away.get(first.seat) ?? null;
  const most = whole(policy.grace);
  if (since === null) return takeover ? `${gone}. A bot plays on for who is away for ${most}.` : `${gone}, and ${loses(line, seats)} if away for ${most}.`;
  const left = policy.grace - (now - since) * 1000;
  const when = left > 0 ? `If not back in ${whole(left)},` : "Any moment now";
  if (takeover) return `${gone}. ${when} a bot plays on.`;
  const mine = table.seat.value;
  if (mine === null || playsOn(line.variant)) return left > 0 ? `${gone}, and ${loses(line, seats)} if not back in ${whole(left)}.` : `${gone}, and ${loses(line, seats)} any moment now.`;
  return `${gone}. ${when} the game is ${teamOf(line.variant, mine) === teamOf(line.variant, first.seat) ? "lost" : "yours"}.`;
}

function loses(line: TableLine, seats: readonly SeatLine[]): string {
  const one = seats.length === 1;
  if (playsOn(line.variant)) return one ? "is out" : "are out";
  const team = gameFor(line.variant)?.teams ?? false;
  return one ? (team ? "loses with the team" : "loses") : "lose";
}

/** Whether a bot may take a seat over there: nobody does in rooms, in tours, and where none are wanted. */
function isOpenToBots(table: Table, line: TableLine): boolean {
  const opened = lastOf(table.moments.value, "opened");
  return line.tour === null && !opened?.room && opened?.house !== 0;
}


/** A span in whole seconds, which does not break at the end of a line. */
function whole(micros: number): string {
  const seconds = Math.ceil(micros / 1e6);
  const text = seconds < 60 ? `${seconds} s` : spanOf(seconds * 1e6).replace(/ 0 (s|min)$/, "");
  return text.replaceAll(" ", "\u00a0");
}
