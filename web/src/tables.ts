// Tables as they live: every event once, in order, with the board it left.
//
// A table is watched as long as somebody shows it. What happened before comes from the API, what
// happens now from the line; both are numbered, so together they have no gap and nothing twice,
// also after the line or the server was gone for a while.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { get } from "./api";
import { delayOf, leftOf } from "./clock";
import { codeFor, withCode } from "./codes";
import { gameFor } from "./games";
import * as line from "./line";
import * as me from "./me";
import { Premove } from "./premove";
import { MoveUnderway } from "./move-underway";
import { settings } from "./settings";
import type { Moment, Policy, Shown, TableEvent, TableLine, TableNews, View } from "./wire";

const ANY = ["0"]; // where there are too many moves to tell, a board asks only whether there is one
const GRACE = 5000; // milliseconds a table nobody shows is still watched
const AGAIN = 2000; // milliseconds until the API is asked again that did not answer
const NOTED = 400; // milliseconds after a move until its notation is asked for, and of all meanwhile
const DRIFT = 1e6; // microseconds by which our clocks may be off before they are set anew

/** Whether moves can be taken back at tables of a game for so many. */
export function canTakeBack(variant: string, seats: number): boolean {
  return seats === 2 && gameFor(variant)?.secret === false;
}

/** Microseconds that one's seat waits before the game begins: a reload must not lose it. */
export const KEPT = 600e6;

/** A reading of the clocks: what each had left when, by this machine's clock. */
export interface Reading {
  left: number[] | null;
  running: number[];
  taken: number; // performance.now()
  /** The seats whose turn began just then, so that a delay is still theirs; left out: all. */
  fresh?: readonly number[];
}

/** One table, live. */
export class Table {
  readonly line = signal<TableLine | null>(null);
  readonly policy = signal<Policy | null>(null);
  /** My seat, or null. */
  readonly seat = signal<number | null>(null);
  readonly moments = signal<readonly Moment[]>([]);
  readonly view = signal<View | null>(null);
  readonly reading = signal<Reading>({ left: null, running: [], taken: 0 });
  /** What I may play now. */
  readonly legal = signal<readonly string[]>([]);
  /** What I could play when I was last told. */
  readonly before = signal<readonly string[]>([]);
  /** It is my turn, and what I may play is still on its way. */
  readonly learning = signal(false);
  /** Why it cannot be shown; empty where it can. */
  readonly missing = signal("");
  /** Whether all that happened is here. */
  readonly whole = signal(false);
  readonly toAct = computed(() => this.reading.value.running);
  readonly myTurn = computed(() => this.seat.value !== null && this.toAct.value.includes(this.seat.value) && this.line.value?.status === "playing");

  /** My move, until it is heard of. */
  readonly underway = new MoveUnderway(this);
  /** What I chose to play next. */
  readonly premove = new Premove(this);

  users = 0;
  private lookers = 0; // pages that are about it
  private full = false; // whether anybody wants its past
  private refreshing = 0; // how many are at it
  private asked = 0; // which question for legal moves is the last
  private known = 0; // up to which event nothing is missing
  private noting: ReturnType<typeof setTimeout> | undefined;
  private unbroken = false; // whether news have come without a gap since then

  constructor(readonly id: number) {}

  /** Bring all up to date: at first, and whenever the line stands again. */
  async refresh(): Promise<void> {
    this.unbroken = false;
    this.refreshing += 1;
    try {
      // The past of the answer is not needed: the API has it with boards.
      await this.watch().catch(ended);
      await this.look();
      if (this.full) await this.catchUp();
    } catch (why) {
      if (!(why instanceof line.Refusal)) throw why;
      if (why.code !== "lost") this.missing.value = why.message;
      else if (line.state.peek() === "up") setTimeout(() => this.users > 0 && void this.refresh(), AGAIN);
    } finally {
      this.refreshing -= 1;
    }
  }

  private watch(): Promise<unknown> {
    return line.ask({ type: "watch", table: this.id, since: Number.MAX_SAFE_INTEGER, code: codeFor(this.id), glance: this.lookers === 0 });
  }

  /** A page is about this table, or no more: elsewhere it is one board of many, and one does not look on. */
  lookOn(on: boolean): void {
    this.lookers += on ? 1 : -1;
    const watched = this.line.peek()?.status === "open" || this.line.peek()?.status === "playing";
    if (watched && this.lookers === (on ? 1 : 0)) void this.watch().catch(() => undefined);
  }

  /** From now on the whole past is wanted too. */
  async remember(): Promise<void> {
    if (this.full) return;
    this.full = true;
    // A refresh that has just begun looks at this when it is that far.
    if (this.refreshing === 0 || this.line.peek()) await this.refresh();
  }

  /** See who is there and what the clocks say: nobody is told when somebody goes away. */
  async glance(): Promise<void> {
    if (this.line.peek()) await this.look().catch(() => undefined);
  }

  hear(news: TableNews): void {
    const { type: _, table: __, ...moment } = news;
    batch(() => {
      this.add([moment]);
      if (this.unbroken) this.known = Math.max(this.known, news.n);
      const last = this.line.value;
      if (!last || news.n <= last.n) return;
      this.line.value = after(last, news.n, news.event);
      this.reading.value = following(this.reading.value, news);
      if (news.view) this.view.value = news.view;
      if (changesSeats(news.event)) void this.glance();
      if (news.event.type === "ended" || news.event.type === "taken_back") this.premove.drop();
      if (news.event.type === "played") this.premove.moved(news.event.seat);
      // Moves on the other board of bughouse leave one's own as it is.
      if (!this.myTurn.value || news.event.type === "taken_back") this.underway.withdraw();
      if (news.event.type === "ended" && this.isPrivate()) void this.reveal();
      if (news.event.type === "played" && this.full) this.noteSoon();
      void this.askLegal();
    });
  }

  private async look(): Promise<void> {
    const shown = await line.ask<Shown>({ type: "show", table: this.id, code: codeFor(this.id) }).catch((why: line.Refusal) => {
      if (why.code === "lost" || why.code === "no_table") throw why; // the API would know no better
      return get<Shown>(withCode(`/api/tables/${this.id}`, this.id));
    });
    const had = this.line.peek();
    if (had && shown.line.n < had.n) return; // the API may be a moment behind
    const mine = shown.line.seats.find((seat) => seat.player !== null && seat.player === me.player.peek());
    const sat = this.seat.peek();
    if (had && had.n !== shown.line.n) {
      this.premove.lose();
      this.underway.withdraw();
    }
    batch(() => {
      this.line.value = shown.line;
      this.policy.value = shown.policy;
      this.seat.value = shown.seat ?? mine?.seat ?? null;
      this.view.value = shown.view;
      this.reading.value = checked(this.reading.peek(), shown, had?.n === shown.line.n);
      this.missing.value = "";
    });
    const same = had?.n === shown.line.n && sat === this.seat.peek() && this.legal.peek().length > 0;
    if (!same) await this.askLegal();
  }

  private async catchUp(): Promise<void> {
    for (let more = true; more; ) {
      const page = await get<{ moments: Moment[]; more: boolean }>(withCode(`/api/tables/${this.id}/moments?since=${this.known}`, this.id));
      this.add(page.moments);
      this.known = Math.max(this.known, page.moments.at(-1)?.n ?? 0);
      more = page.more;
    }
    this.unbroken = true;
    if (this.seat.peek() !== null && this.isPrivate()) await this.recall().catch(ended);
    this.whole.value = true;
  }

  /** What only those at the table were told: their own secret moves, and what their team said. */
  private async recall(): Promise<void> {
    type Past = { type: string; events: { n: number; at: number; event: TableEvent }[]; more: boolean };
    const told = new Map<number, Moment>();
    for (let since = 0, more = true; more; ) {
      const past = await line.ask<Past>({ type: "history", table: this.id, since });
      for (const entry of past.events) told.set(entry.n, { ...entry, effects: [], to_act: [], left: null, view: null });
      since = past.events.at(-1)?.n ?? since;
      more = past.more && past.events.length > 0;
    }
    const known = this.moments.peek().map((moment) => ({ ...moment, event: told.get(moment.n)?.event ?? moment.event }));
    batch(() => {
      this.moments.value = known;
      this.add([...told.values()].filter(({ event }) => event.type === "said"));
    });
  }

  /** Have the newest moves written as their game's players do, where that is a way of its own. */
  private noteSoon(): void {
    if (!untracked(() => gameFor(this.line.peek()?.variant ?? ""))?.noted) return;
    clearTimeout(this.noting);
    this.noting = setTimeout(() => void this.note(), NOTED);
  }

  private async note(): Promise<void> {
    const first = this.moments.peek().find(({ event, said }) => event.type === "played" && event.move && !said);
    if (!first) return;
    const found = await get<{ moments: Moment[] }>(withCode(`/api/tables/${this.id}/moments?since=${first.n - 1}`, this.id)).catch(() => null);
    const said = new Map((found?.moments ?? []).map((moment) => [moment.n, moment.said]));
    this.moments.value = this.moments.peek().map((moment) => {
      const words = said.get(moment.n);
      return words ? { ...moment, said: words } : moment;
    });
  }

  /** The game is over: what was secret is not so any more. */
  private async reveal(): Promise<void> {
    if (!this.full) return;
    const open = new Map<number, Moment>();
    for (let since = 0, more = true; more; ) {
      const page = await get<{ moments: Moment[]; more: boolean }>(withCode(`/api/tables/${this.id}/moments?since=${since}`, this.id)).catch(() => null);
      for (const moment of page?.moments ?? []) open.set(moment.n, moment);
      since = page?.moments.at(-1)?.n ?? since;
      more = page?.more ?? false;
    }
    this.moments.value = this.moments.peek().map((moment) => {
      const now = open.get(moment.n);
      return now?.event.type === "played" ? { ...moment, event: now.event, effects: now.effects } : moment;
    });
  }

  /** Whether a player knows more of the past than those who only watch: secret moves, words of a team. */
  private isPrivate(): boolean {
    const game = untracked(() => gameFor(this.line.peek()?.variant ?? ""));
    return !game || game.secret || game.teams;
  }

  private add(found: readonly Moment[]): void {
    const have = new Set(this.moments.peek().map((moment) => moment.n));
    const fresh = found.filter((moment) => !have.has(moment.n));
    if (fresh.length === 0) return;
    this.moments.value = [...this.moments.peek(), ...fresh].sort((a, b) => a.n - b.n);
  }

  private async askLegal(): Promise<void> {
    const asked = ++this.asked;
    this.learning.value = this.myTurn.value && this.legal.value.length === 0;
    if (!this.myTurn.value) {
      this.legal.value = [];
      return;
    }
    const found = await line
      .ask<{ type: string; moves: string[] }>({ type: "legal_moves", table: this.id })
      .catch((why: line.Refusal) => (why.code === "too_many" ? { moves: ANY } : null));
    if (asked !== this.asked) return;
    this.learning.value = false;
    if (!found) return;
    this.legal.value = found.moves;
    if (found.moves !== ANY && !found.moves.includes(this.underway.move.peek() ?? "")) this.underway.withdraw();
    this.before.value = found.moves;
    this.premove.due();
  }
}

const tables = new Map<number, Table>();

/** This table, watched from now on until it is let go. */
export function hold(id: number): Table {
  let table = tables.get(id);
  if (!table) {
    table = new Table(id);
    tables.set(id, table);
    if (line.state.peek() === "up") start(table);
  }
  table.users += 1;
  return table;
}

/** Whoever held it shows it no more. */
export function drop(table: Table): void {
  table.users -= 1;
  setTimeout(() => {
    if (table.users > 0 || tables.get(table.id) !== table) return;
    tables.delete(table.id);
    void line.ask({ type: "unwatch", table: table.id }).catch(() => undefined);
  }, GRACE);
}

line.listen((news) => {
  if (news.type === "news") tables.get((news as TableNews).table)?.hear(news as TableNews);
});

// The line stands again, or I am somebody else: catch up.
effect(() => {
  line.standing.value;
  me.player.value;
  if (line.state.peek() === "up") for (const table of tables.values()) start(table);
});

// Who does not want to choose moves before the turn does not mean one chosen already, either.
effect(() => {
  if (!settings.value.premove) untracked(() => tables.forEach((table) => table.premove.drop()));
});

/** Refresh it, whoever asks: what that reads is none of the asker's business. */
function start(table: Table): void {
  untracked(() => void table.refresh());
}

/** A finished table cannot be watched, and need not be: only a lost line matters. */
function ended(why: unknown): void {
  if (why instanceof line.Refusal && why.code === "lost") throw why;
}

/** The clocks after some news: those that ran before and run still have used up their delay. */
function following(reading: Reading, news: TableNews): Reading {
  const { event, left, to_act: running } = news;
  const turned = ["started", "played", "taken_back", "out", "ended", "taken_over"].includes(event.type);
  if (!turned && String(running) === String(reading.running)) return reading;
  const mover = event.type === "played" ? event.seat : null;
  const fresh = running.filter((seat) => seat === mover || !reading.running.includes(seat));
  return { left, running, taken: performance.now(), fresh };
}

/** The clocks as shown; ours stay if they are right, since they know of the delay. */
function checked(had: Reading, shown: Shown, same: boolean): Reading {
  const now = performance.now();
  const delay = delayOf(shown.line.time);
  const right = (seat: number) => Math.abs((leftOf(had, seat, delay, now) ?? 0) - (shown.left?.[seat] ?? 0)) < DRIFT;
  if (same && String(had.running) === String(shown.to_act) && shown.to_act.every(right)) return had;
  return { left: shown.left, running: shown.to_act, taken: now, fresh: [] };
}

function after(line: TableLine, n: number, event: TableEvent): TableLine {
  switch (event.type) {
    case "started":
      return { ...line, n, status: "playing" };
    case "ended":
      return { ...line, n, status: "over", outcome: event.outcome };
    case "closed":
      return { ...line, n, status: "closed" };
    default:
      return { ...line, n };
  }
}

function changesSeats(event: TableEvent): boolean {
  return ["sat", "left", "swapped", "taken_over", "started", "owned"].includes(event.type);
}
