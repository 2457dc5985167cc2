// What is said at a table, and what happened there beside the moves. Viewers may talk too.

import { useEffect, useRef, useState } from "preact/hooks";
import { complain } from "../../announce";
import { gameFor } from "../../games";
import { ask, state } from "../../line";
import type { Table } from "../../tables";
import type { Moment, TableEvent, TableLine } from "../../wire";
import { eventOf } from "../../words";
import { useBusy } from "../busy";
import { asPlayer } from "../me";
import { BlockAuthor } from "../people/block-author";
import { isBlocked } from "../people/blocked";
import { offeredBefore, playsOn } from "./story";

const LONGEST = 500; // characters
const LAST = 200; // lines, of which more are shown when asked for
const NOTES = new Set(["sat", "taken_over", "draw_offered", "draw_declined", "takeback_asked", "takeback_declined", "taken_back", "erred", "out", "rematch_wished"]);

export function Chat({ table, line }: { table: Table; line: TableLine }) {
  // Who is out has ended most games by it, and the result says so.
  const noted = ({ type }: TableEvent) => type === "said" || (NOTES.has(type) && (type !== "out" || playsOn(line.variant)));
  const said = table.moments.value.filter(({ event }) => noted(event) && !(event.type === "said" && isBlocked(event.player)));
  const [all, setAll] = useState(false);
  const shown = all ? said : said.slice(-LAST);
  const log = useRef<HTMLOListElement>(null);
  const low = useRef(true); // whether the last line was in view
  useEffect(() => {
    if (log.current && low.current) log.current.scrollTop = log.current.scrollHeight;
  }, [said.length]);
  return (
    <section class="card talk" aria-labelledby="talk-title">
      <h2 id="talk-title">Talk</h2>
      <ol
        ref={log}
        class="talk-log"
        tabIndex={0}
        aria-label="What was said"
        onScroll={({ currentTarget: at }) => (low.current = at.scrollHeight - at.scrollTop - at.clientHeight < 24)}
      >
        {said.length === 0 && <li class="faint">Nothing yet. Say hello.</li>}
        {shown.length < said.length && (
          <li>
            <button type="button" class="talk-all" onClick={() => setAll(true)}>
              Show all {said.length} lines
            </button>
          </li>
        )}
        {shown.map((moment) => (
          <Line key={moment.n} moment={moment} line={line} offered={moment.event.type === "draw_offered" && offeredBefore(line.variant, table.moments.value, moment.n)} />
        ))}
      </ol>
      <Say table={table} line={line} />
    </section>
  );
}

function Line({ moment: { event }, line, offered }: { moment: Moment; line: TableLine; offered: boolean }) {
  if (event.type !== "said") return <li class="faint talk-note">{eventOf(event, line.seats, "", offered)}</li>;
  const sits = line.seats.some((seat) => seat.player === event.player);
  return (
    <li>
      <b>{event.name}</b>{" "}
      {!sits && <span class="badge">watches</span>}
      {event.team !== null && <span class="badge">to the team</span>} <span>{event.text}</span>{" "}
      <BlockAuthor player={event.player} name={event.name} />
    </li>
  );
}

function Say({ table, line }: { table: Table; line: TableLine }) {
  const [text, setText] = useState("");
  const [team, setTeam] = useState(false);
  const [busy, during] = useBusy();
  const teams = (gameFor(line.variant)?.teams ?? false) && table.seat.value !== null;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!text.trim() || busy) return;
    asPlayer(() => {
      during(ask({ type: "say", table: table.id, text, team: team && teams })).then(() => setText(""), complain);
    });
  };
  return (
    <form class="talk-say" onSubmit={submit}>
      {teams && (
        <select aria-label="To whom" value={team ? "team" : "all"} onChange={(e) => setTeam(e.currentTarget.value === "team")}>
          <option value="all">To all</option>
          <option value="team">To my partner</option>
        </select>
      )}
      <input aria-label="Say something" placeholder="Say something" value={text} maxLength={LONGEST} autocomplete="off" onInput={(e) => setText(e.currentTarget.value)} />
      <button type="submit" aria-busy={busy} disabled={state.value !== "up"}>
        Say
      </button>
    </form>
  );
}
