// A tour as it lives. How it stands is asked for anew when something happened, at most once a
// second; the matches are loaded once and then kept up by the news, which come in the order of
// the answers, so there is no gap and nothing twice. After the line was down, all begins anew.

import { batch, effect, signal, untracked } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import * as line from "../../line";
import * as me from "../../me";
import type { MatchLine, StandingRow, TourNews, TourShown, Worth } from "../../wire";
import { again, token } from "./organiser";
import { type Result, shares, worths } from "./score";

const PAUSE = 1000; // milliseconds between two looks
const AGAIN = 5000; // milliseconds without news after which one looks: who comes and goes is no news of a tour

export type Row = StandingRow & { out?: string };

export class LiveTour {
  readonly shown = signal<TourShown | null>(null);
  readonly matches = signal<readonly MatchLine[]>([]);
  /** When `shown` was taken, by performance.now(). */
  readonly taken = signal(0);
  /** Why it cannot be shown; empty where it can. */
  readonly missing = signal("");
  /** Whether all matches are here. */
  readonly whole = signal(false);

  private list: Kept[] = [];
  private complete = false;
  private turn = 0;
  private last = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly id: number) {}

  /** Begin to listen; the function ends it. */
  listen(): () => void {
    const deaf = line.listen((news) => {
      if (news.type === "tour_news" && (news as TourNews).tour === this.id) this.hear(news as TourNews);
    });
    const idle = effect(() => {
      line.standing.value;
      me.player.value;
      token.value;
      untracked(() => line.state.value === "up" && void this.refresh());
    });
    const often = setInterval(() => {
      const status = this.shown.peek()?.line.status ?? "ended";
      const idle = this.timer === undefined && performance.now() - this.last >= AGAIN;
      if (idle && status !== "ended" && status !== "cancelled" && line.state.peek() === "up" && !document.hidden) void this.look();
    }, AGAIN);
    return () => {
      clearInterval(often);
      deaf();
      idle();
      clearTimeout(this.timer);
      void line.ask({ type: "unwatch_tour", tour: this.id }).catch(() => undefined);
    };
  }

  /** Look at all of it. */
  private async refresh(): Promise<void> {
    const turn = ++this.turn;
    this.complete = false;
    try {
      await again();
      this.take(await line.ask<TourShown>({ type: "watch_tour", tour: this.id }));
      this.list = [];
      for (let more = true; more; ) {
        const page = await line.ask<{ type: string; matches: MatchLine[]; more: boolean }>({ type: "list_matches", tour: this.id, after: this.list.length });
        if (turn !== this.turn) return;
        this.list.push(...page.matches);
        more = page.more;
      }
      this.complete = true;
      this.matches.value = [...this.list];
      this.whole.value = true;
    } catch (why) {
      if (why instanceof line.Refusal && why.code !== "lost" && turn === this.turn) this.missing.value = why.message;
    }
  }

  private take(shown: TourShown): void {
    this.shown.value = shown;
    this.taken.value = performance.now();
    this.missing.value = "";
  }

  private hear(news: TourNews): void {
    this.apply(news.event);
    if (this.timer !== undefined) return;
    const wait = Math.max(50, this.last + PAUSE - performance.now());
    this.timer = setTimeout(() => void this.look(), wait);
  }

  private async look(): Promise<void> {
    this.last = performance.now();
    this.timer = undefined;
    const shown = await line.ask<TourShown>({ type: "show_tour", tour: this.id }).catch(() => null);
    batch(() => {
      if (shown) this.take(shown);
      if (this.complete) this.matches.value = [...this.list];
    });
  }

  /** What an event changes about the matches. Pairings are in the list until it is complete. */
  private apply(event: TourNews["event"]): void {
    switch (event.type) {
      case "paired":
        if (this.complete) for (const fixture of event.fixtures as Fixture[]) this.list.push(fresh(this.list.length + 1, fixture));
        return;
      case "match_begun":
        return this.change(event.match as number, { table: event.table as number, status: "playing" });
      case "match_ended":
        return this.change(event.match as number, { result: event.result as Result, status: "over" });
      case "match_ruled": {
        const called = this.list[(event.match as number) - 1]?.status === "playing"; // off: its table shows nothing
        return this.change(event.match as number, { result: event.result as Result, status: "over", ...(called ? { table: null } : {}) });
      }
      case "match_voided":
        return this.change(event.match as number, { result: null, table: null, status: "waiting", points: [] }, 1);
    }
  }

  private change(number: number, by: Partial<MatchLine>, voided = 0): void {
    const match = this.list[number - 1];
    if (!match) return;
    const changed = { ...match, ...by, voided: match.voided + voided };
    const points = String(this.shown.value?.plan.points ?? "1-0.5-0");
    if (by.result) changed.points = shares(by.result, match.sides, match.teams, worths(points), match.rest);
    this.list[number - 1] = changed;
  }
}

interface Fixture {
  round: number;
  sides: number[];
  teams?: number[];
  rest?: Worth;
}

/** A match, and of a bye that was given what it is worth. */
type Kept = MatchLine & { rest?: Worth };

function fresh(match: number, { round, sides, teams = [], rest }: Fixture): Kept {
  return { ...(rest ? { rest } : {}), match, round, sides, status: "waiting", table: null, result: null, points: [], teams, voided: 0 };
}

/** This tour, for as long as it is shown. */
export function useTour(id: number): LiveTour {
  const tour = useMemo(() => new LiveTour(id), [id]);
  useEffect(() => tour.listen(), [tour]);
  return tour;
}
