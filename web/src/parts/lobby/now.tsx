// "Play now": a game, and against whom. One button, and one sits at a table.

import { signal } from "@preact/signals";
import { complain, tell } from "../../announce";
import { FIRST, FIRST_GAME } from "../../boards";
import { gameFor, useGames } from "../../games";
import * as line from "../../line";
import * as me from "../../me";
import { go } from "../../route";
import { canTakeBack, KEPT } from "../../tables";
import type { GameLine, TableLine } from "../../wire";
import { gameOf, listOf, timeOf, whoOf } from "../../words";
import { useBusy } from "../busy";
import { asPlayer } from "../me";
import { hasBots, useServer } from "../server";
import { explain, usualClock } from "./clocks";
import { GameIcon } from "./icon";
import { open } from "./lists";

const LEVELS = ["a beginner", "easy to beat", "plays well", "hard to beat", "the best there is"];

// What was chosen last is still chosen when one comes back to the lobby.
const chosen = signal(FIRST_GAME);
const wished = signal(2); // a bot's level, 0 is a person
const speed = signal(""); // a clock; empty is the usual one
const seated = signal<"first" | "random">("first");

const SPEEDS = [
  ["", "Usual"],
  ["1m+1s", "Bullet"],
  ["3m+2s", "Blitz"],
  ["15m+10s", "Rapid"],
  ["none", "No clock"],
] as const;

type Done = { type: string; table: number };

export function PlayNow({ openTable }: { openTable: (game: string) => void }) {
  const known = useGames();
  const game = chosen.value;
  const [waiting, during] = useBusy();
  const shown = known?.find(({ name }) => name === game);
  const random = shown?.thinking === "random";
  const names = known ? byOrder(known.map(({ name }) => name)) : FIRST;
  const bots = hasBots(useServer(), game);
  const against = bots ? wished.value : 0;
  const setAgainst = (level: number) => (wished.value = level);
  const clock = speed.value || usualClock(game, against > 0);
  const variant = [game, shown?.shown.usual].filter(Boolean).join(" ");
  const there = against > 0 ? undefined : waitingAt(open.value ?? [], variant, clock)[0];
  const play = (event: Event) => {
    event.preventDefault();
    asPlayer(() => {
      during(against > 0 ? withBots(variant, against, clock, seatFor(shown)) : withPeople(variant, clock, seatFor(shown))).then(({ table }) => go(`/tables/${table}`), complain);
    });
  };
  return (
    <section class="card now" aria-labelledby="now-title">
      <h2 id="now-title">Play now</h2>
      <form onSubmit={play}>
        <fieldset class="tiles">
          <legend class="unseen">Game</legend>
          {names.map((name) => (
            <label key={name} class="game-tile">
              <input class="unseen" type="radio" name="game" value={name} checked={game === name} onChange={() => (chosen.value = name)} />
              <GameIcon game={name} />
              <span>{gameOf(name)}</span>
            </label>
          ))}
        </fieldset>
        <p class="now-about">{shown?.about ?? "\u00a0"}</p>
        <div class="now-row">
          <fieldset class="pills">
            <legend>Against</legend>
            <Pill text="A person" value={0} now={against} choose={setAgainst} />
            {LEVELS.map((words, i) => (
              <Pill key={words} text={`Bot ${i + 1}`} label={`Bot of level ${i + 1}, ${random ? "moves at random" : words}`} value={i + 1} now={against} choose={setAgainst} off={!bots} />
            ))}
          </fieldset>
          <fieldset class="pills">
            <legend>Clock</legend>
            {SPEEDS.map(([time, words]) => (
              <Pill key={time} name="speed" text={words} value={time} now={speed.value} choose={(value) => (speed.value = value)} />
            ))}
          </fieldset>
          <fieldset class="pills">
            <legend>Your seat</legend>
            <Pill name="seated" text="First" value="first" now={seated.value} choose={(value) => (seated.value = value)} />
            <Pill name="seated" text="Random" value="random" now={seated.value} choose={(value) => (seated.value = value)} />
          </fieldset>
          <button type="submit" class="main now-play" aria-busy={waiting} disabled={waiting || line.state.value !== "up"}>
            Play {gameOf(game).toLowerCase()}
          </button>
        </div>
        <p class="faint now-terms">
          {against > 0 ? (random ? "Bots of this game move at random, whatever their level." : `Level ${against}: ${LEVELS[against - 1]}.`) : there ? `Somebody waits for you at table ${there.table}.` : "You wait at a table until somebody sits down."}
          {!bots && " This server has no bots for it."} {clockWords(there?.time ?? clock)}{" "}
          <button type="button" class="inline" onClick={() => openTable(game)}>
            Choose it all yourself
          </button>{" "}
          <a href={`/rules/${game}`}>Rules of {gameOf(game).toLowerCase()}</a>
        </p>
      </form>
    </section>
  );
}

interface PillProps<T> {
  name?: string;
  text: string;
  label?: string;
  value: T;
  now: T;
  choose: (value: T) => void;
  off?: boolean;
}

function Pill<T extends string | number>({ name = "against", text, label, value, now, choose, off = false }: PillProps<T>) {
  return (
    <label class="pill">
      <input class="unseen" type="radio" name={name} value={value} checked={now === value} disabled={off} onChange={() => choose(value)} aria-label={label ?? text} />
      <span>{text}</span>
    </label>
  );
}

/** Bots of this level fill the other seats at once. */
function withBots(variant: string, level: number, time: string, seat: number | null): Promise<Done> {
  return line.ask<Done>({ type: "open", variant, time, house: level, kept: KEPT, seat, takebacks: lenient(variant) });
}

/** Sit with whoever waits for this game, whatever the clock, or wait for somebody. */
async function withPeople(variant: string, time: string, seat: number | null): Promise<Done> {
  const { tables } = await line.ask<{ type: string; tables: TableLine[] }>({ type: "list_tables", status: "open" });
  for (const table of waitingAt(tables, variant, time)) {
    const sat = await line.ask<Done>({ type: "sit", table: table.table }).catch(() => null);
    if (!sat) continue; // it is not for me, or somebody else was quicker
    const others = table.seats.filter((seat) => seat.player !== null).map(whoOf);
    tell(`You sit down with ${listOf(others)}. ${clockWords(table.time)}`);
    return sat;
  }
  if (seat !== null) return line.ask<Done>({ type: "open", variant, time, house: 0, kept: KEPT, seat, takebacks: lenient(variant) });
  return line.ask<Done>({ type: "seek", variant, time, house: 0, kept: KEPT, takebacks: lenient(variant) });
}

/** Whether moves may be taken back: among friends they may, in a game of two. */
function lenient(variant: string): boolean {
  return canTakeBack(variant, gameFor(variant)?.seats[0] ?? 0);
}

/** Which seat to ask for: any at random, or null for the first. */
function seatFor(game: GameLine | undefined): number | null {
  return seated.peek() === "random" ? Math.floor(Math.random() * (game?.seats[0] ?? 2)) : null;
}

/** Where somebody else waits for this game: with this clock first, then who has waited longest. */
function waitingAt(tables: readonly TableLine[], variant: string, time: string): TableLine[] {
  const other = (table: TableLine) => Number(table.time !== time);
  return tables.filter((table) => table.variant === variant && table.tour === null && isWaiting(table)).sort((a, b) => other(a) - other(b) || a.table - b.table);
}

function isWaiting({ seats }: TableLine): boolean {
  const taken = seats.filter((seat) => seat.player !== null);
  return taken.length > 0 && taken.length < seats.length && taken.every((seat) => seat.connected && seat.player !== me.player.value);
}

function clockWords(time: string): string {
  return explain(time) || `The clock is ${timeOf(time)}.`;
}

function byOrder(names: readonly string[]): string[] {
  const place = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return [...names].sort((a, b) => place(a) - place(b));
}
