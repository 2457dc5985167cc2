// Games: those that are played, those that wait, and all that are over, by game and status.
//
// What is wanted stands in the address, so every list can be linked to: status, game, player,
// tour, and `after` for a page of older ones.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { useGames } from "../games";
import { Empty, Title, useEvery, useGet } from "../parts/page";
import { type Listed, TableRows } from "../parts/rows";
import { go, query } from "../route";
import { gameOf } from "../words";

const PAGE = 25;
const STATUSES = [
  ["", "All"],
  ["playing", "Being played"],
  ["open", "Waiting"],
  ["over", "Finished"],
] as const;

interface Page {
  tables: Listed[];
  next: number | null;
}

export function TablesPage() {
  const wanted = query.value;
  const status = STATUSES.some(([value]) => value === wanted.get("status")) ? (wanted.get("status") ?? "") : "";
  const older = Number(wanted.get("after") ?? 0) > 0;
  const living = status !== "over" && !older;
  // What is over stands below what goes on, and would be pushed away when that comes.
  const [came, setCame] = useState(false);
  return (
    <>
      <Title text="Games" />
      <Filters status={status} />
      {living && <Living status={status} came={() => setCame(true)} />}
      {(status === "over" || status === "") && (came || !living) && <Finished alone={status === "over"} />}
    </>
  );
}

/** The address of this page with something else wanted; any other wish starts at the newest. */
function addressWith(changes: Record<string, string>): string {
  const wanted = new URLSearchParams(query.value);
  wanted.delete("after");
  for (const [name, value] of Object.entries(changes)) {
    if (value) wanted.set(name, value);
    else wanted.delete(name);
  }
  const text = wanted.toString();
  return text ? `/tables?${text}` : "/tables";
}

/** What the API is asked: of the wishes in the address those it understands. */
function asked(status: string, after = ""): string {
  const words = new URLSearchParams({ status, limit: String(PAGE) });
  for (const name of ["game", "player", "tour"]) {
    const value = query.value.get(name);
    if (value) words.set(name, value);
  }
  if (after) words.set("after", after);
  return `/api/tables?${words.toString()}`;
}

function Filters({ status }: { status: string }) {
  const games = useGames();
  const wanted = query.value;
  const game = wanted.get("game") ?? "";
  const names = games?.map(({ name }) => name) ?? [];
  return (
    <div class="filters">
      <nav class="pills" aria-label="Status">
        {STATUSES.map(([value, text]) => (
          <a key={value} class="pill" href={addressWith({ status: value })} aria-current={value === status ? "true" : undefined}>
            {text}
          </a>
        ))}
      </nav>
      <label>
        Game
        <select name="game" value={game} onChange={(e) => go(addressWith({ game: e.currentTarget.value }), true)}>
          <option value="">All games</option>
          {(names.includes(game) || !game ? names : [...names, game]).map((name) => (
            <option key={name} value={name}>
              {gameOf(name)}
            </option>
          ))}
        </select>
      </label>
      {["player", "tour"].map((name) =>
        wanted.get(name) ? (
          <p key={name} class="only">
            Only {name} {wanted.get(name)}. <a href={addressWith({ [name]: "" })}>Show all</a>
          </p>
        ) : null,
      )}
    </div>
  );
}

function Living({ status, came }: { status: string; came: () => void }) {
  const { found, wrong, again } = useGet<Page>(asked(status));
  useEvery(3000, again);
  const there = found !== null || wrong !== "";
  useLayoutEffect(() => {
    if (there) came();
  }, [there]);
  return (
    <section class="games-now" aria-labelledby="now-title">
      <h2 id="now-title">{status === "open" ? "Waiting for players" : status === "playing" ? "Being played" : "Now"}</h2>
      <Found page={found} wrong={wrong} empty={<>Nothing is going on here. Start a game in the <a href="/">lobby</a>.</>} />
      {found?.next != null && <p class="lobby-more faint">There are more than these; choose a game to see fewer.</p>}
    </section>
  );
}

function Finished({ alone }: { alone: boolean }) {
  const after = query.value.get("after") ?? "";
  const { found, wrong, again } = useGet<Page>(asked("over", after));
  useEvery(10_000, again, after === "");
  useEffect(() => {
    if (after !== "") document.getElementById("over-title")?.scrollIntoView({ block: "nearest" });
  }, [after]);
  return (
    <section class="games-over" aria-labelledby="over-title">
      <h2 id="over-title">Finished</h2>
      <Found page={found} wrong={wrong} empty={after ? "No older games." : "No game has been finished yet. Every game that ends can be replayed from here."} />
      <nav class="pager" aria-label="Pages of finished games">
        {after !== "" && <a class="button" href={addressWith(alone ? { status: "over" } : {})}>Newest</a>}
        {found?.next != null && (
          <a class="button" href={addressWith({ after: String(found.next) })}>
            Older
          </a>
        )}
      </nav>
    </section>
  );
}

function Found({ page, wrong, empty }: { page: Page | null; wrong: string; empty: ComponentChildren }) {
  if (page === null) return <Empty>{wrong || "Looking…"}</Empty>;
  if (page.tables.length === 0) return <Empty>{empty}</Empty>;
  return <TableRows tables={page.tables} />;
}
