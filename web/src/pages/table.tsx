// A table: played, watched or replayed, whichever it can be.

import { useEffect, useRef, useState } from "preact/hooks";
import { ratioOf } from "../boards";
import { state } from "../line";
import { isLost } from "../parts/focus";
import { Sorry, useEvery } from "../parts/page";
import { LookingOn } from "../parts/people/onlookers";
import { Actions } from "../parts/table/actions";
import { Analysing } from "../parts/table/analysing";
import { useAway } from "../parts/table/away";
import { Chat } from "../parts/table/chat";
import { Closed } from "../parts/table/closed";
import { Closing } from "../parts/table/closing";
import { Confirm } from "../parts/table/confirm";
import { Cursor } from "../parts/table/cursor";
import { useTableSounds } from "../parts/table/table-sounds";
import { Elsewhere } from "../parts/table/elsewhere";
import { Moves } from "../parts/table/moves";
import { Replay } from "../parts/table/replay";
import { Result } from "../parts/table/result";
import { useSpeaker, useTabTitle } from "../parts/table/speaker";
import { isListed, SeatList, Stage } from "../parts/table/stage";
import { Stepper } from "../parts/table/stepper";
import { Waiting } from "../parts/table/waiting";
import { Watching } from "../parts/table/watching";
import { query } from "../route";
import { drop, hold, type Table } from "../tables";
import type { TableLine } from "../wire";
import { timeOf, titleOf, variantOf } from "../words";
import { TourLink } from "../parts/tour/tour-link";

// Milliseconds between looks at who is there: as one watches, as one plays, and while somebody is gone.
const [LOOK, CLOSER, CLOSEST] = [8000, 4000, 2000];

/** As in the style sheet: a phone on its side, or a window at twice its size. */
const SHORT = matchMedia("(max-height: 560px) and (min-aspect-ratio: 6/5)");

export function TablePage({ id }: { id: number }) {
  const [cursor] = useState(() => new Cursor(hold(id), momentAsked()));
  const { table } = cursor;
  useEffect(() => {
    table.lookOn(true);
    void table.remember();
    return () => {
      table.lookOn(false);
      drop(table);
    };
  }, [table]);
  const line = table.line.value;
  const status = line?.status;
  const running = line?.status === "playing" || line?.status === "open";
  const away = useAway(table).value;
  const pace = away.size > 0 ? CLOSEST : table.seat.value !== null ? CLOSER : LOOK;
  useEvery(pace, () => void table.glance(), running && state.value === "up");
  const board = useRef<HTMLDivElement>(null);
  const was = useRef(status);
  useEffect(() => {
    // The game begins, or the table is closed: what had the focus may be gone.
    if (was.current && isLost()) (board.current ?? document.getElementById("main"))?.focus({ preventScroll: true });
    was.current = status;
  }, [status]);
  const known = line !== null;
  useEffect(() => {
    // Where the board has the height of the window, it is what one sees first, and not the head of the page.
    if (known && SHORT.matches && (board.current?.getBoundingClientRect().top ?? 0) > 0) board.current?.scrollIntoView();
  }, [known]);
  useTableSounds(table);
  useSpeaker(table);
  useTabTitle(table, line);
  if (!line && table.missing.value) return <Sorry title={`No table ${id}`} sentence={`${table.missing.value} The link may be old, or mistyped.`} />;
  if (!line) return <Coming id={id} />;
  if (line.status === "closed") return <Closed table={table} />;
  const over = line.status === "over";
  return (
    <div class={isListed(line) ? "table-page table-many" : "table-page"} style={{ "--ratio": String(ratioOf(line.variant)) }}>
      <Head table={table} line={line} />
      {isListed(line) && <SeatList cursor={cursor} line={line} />}
      <div class="table-board" ref={board} tabIndex={-1}>
        <Stage cursor={cursor} line={line} />
        <div class="table-under">
          {line.status !== "open" && <Stepper cursor={cursor} line={line} />}
          <Confirm cursor={cursor} line={line} />
        </div>
      </div>
      <div class="table-side">
        <Elsewhere line={line} />
        {running && <LookingOn table={table.id} />}
        <Result table={table} line={line} />
        {line.status === "open" && <Waiting table={table} line={line} />}
        <Actions table={table} line={line} away={away} />
        <Watching table={table} line={line} away={away} />
        <Closing table={table} line={line} />
        <Moves cursor={cursor} line={line} />
        <Chat table={table} line={line} />
      </div>
      {over && (
        <div class="table-replay">
          <Replay cursor={cursor} line={line} />
          <Analysing cursor={cursor} line={line} />
        </div>
      )}
    </div>
  );
}

/** The event that the address asks for, if any. */
function momentAsked(): number | null {
  const at = query.peek().get("at");
  return at && /^\d{1,9}$/.test(at) ? Number(at) : null;
}

function Head({ table, line }: { table: Table; line: TableLine }) {
  const words = { open: "waiting for players", playing: "being played", over: "over", closed: "closed" };
  return (
    <div class="table-head">
      <h1>{titleOf(line.variant)}</h1>
      <p class="faint">
        Table {table.id} · {timeOf(line.time)} · {words[line.status]}
        {" · "}
        <a href={`/rules/${variantOf(line.variant).game}`}>Rules</a>
        {line.tour !== null && (
          <>
            {" · "}
            <TourLink tour={line.tour} />
          </>
        )}
      </p>
    </div>
  );
}

/** The place of everything, before it is there. */
function Coming({ id }: { id: number }) {
  return (
    <div class="table-page" aria-busy="true">
      <div class="table-head">
        <h1>Table {id}</h1>
        <p class="faint">{state.value === "down" ? "The server cannot be reached; this page opens as soon as it can." : "Coming…"}</p>
      </div>
      <div class="table-board">
        <section class="stage" aria-label="Board">
          <div class="stage-seats">
            <div class="strip">
              <div class="strip-inside" />
            </div>
          </div>
          <div class="stage-board">
            <div class="place" style={{ aspectRatio: "1" }}>
              <p class="waiting">The board is coming…</p>
            </div>
          </div>
          <div class="stage-seats">
            <div class="strip">
              <div class="strip-inside" />
            </div>
          </div>
        </section>
      </div>
    </div>
  );
}
