// What a player can do beside moving: resign, agree on a draw, call the game off.

import { useEffect, useRef, useState } from "preact/hooks";
import { complain } from "../../announce";
import { ask, state } from "../../line";
import type { Table } from "../../tables";
import type { TableLine } from "../../wire";
import { listOf, whoOf } from "../../words";
import { useFocusKept } from "../focus";
import { canDraw, lastOf, movesUpTo, offersOf, outOf, stepsOf, teamOf } from "./story";

interface Props {
  table: Table;
  line: TableLine;
}

export function Actions({ table, line }: Props) {
  const seat = table.seat.value;
  const place = useFocusKept<HTMLElement>();
  if (seat === null || line.status !== "playing" || outOf(table.moments.value).has(seat)) return null;
  const steps = stepsOf(table.moments.value);
  const early = movesUpTo(steps, steps.length) < 2 && line.tour === null && !lastOf(table.moments.value, "opened")?.room;
  return (
    <section ref={place} tabIndex={-1} class="card acts" aria-label="Your game">
      {canDraw(line.variant) && <Offers table={table} line={line} seat={seat} />}
      <div class="acts-row">
        {canDraw(line.variant) && <Offer table={table} line={line} seat={seat} />}
        {early && <Act table={table} type="abort" text="Call off" />}
        <Resign table={table} />
      </div>
    </section>
  );
}

/** A button that asks one thing of the table; while it is on its way it is off, but keeps the focus. */
export function Act({ table, type, text, main = false, more = {} }: { table: Table; type: string; text: string; main?: boolean; more?: object }) {
  const [sending, setSending] = useState(false);
  const off = sending || state.value !== "up";
  const act = () => {
    if (off) return;
    setSending(true);
    ask({ type, table: table.id, ...more })
      .catch(complain)
      .finally(() => setSending(false));
  };
  return (
    <button type="button" class={main ? "main" : ""} aria-disabled={off} onClick={act}>
      {text}
    </button>
  );
}

/** How it stands with a draw, where one was offered. */
function Offers({ table, line, seat }: Props & { seat: number }) {
  const { open, asked } = offersOf(line.variant, table.moments.value);
  const mine = teamOf(line.variant, seat);
  if (open.has(mine)) return <p class="acts-note">You have offered a draw.</p>;
  if (open.size > 0) {
    const others = line.seats.filter((one) => open.has(teamOf(line.variant, one.seat))).map(whoOf);
    return (
      <div class="acts-offer">
        <p>
          <b>{listOf(others)}</b> {others.length === 1 ? "offers" : "offer"} a draw.
        </p>
        <div class="acts-row">
          <Act table={table} type="offer_draw" text="Accept the draw" main />
          <Act table={table} type="decline_draw" text="Decline" />
        </div>
      </div>
    );
  }
  return asked.has(mine) ? <p class="acts-note">The draw was declined. You may offer one again after the next move.</p> : null;
}

function Offer({ table, line, seat }: Props & { seat: number }) {
  const { open, asked } = offersOf(line.variant, table.moments.value);
  return open.size > 0 || asked.has(teamOf(line.variant, seat)) ? null : <Act table={table} type="offer_draw" text="Offer a draw" />;
}

/** Resigning is asked once more, in its own place. */
function Resign({ table }: { table: Table }) {
  const [sure, setSure] = useState<boolean | null>(null); // null: never asked
  const ask1 = useRef<HTMLButtonElement>(null);
  const ask2 = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (sure === true) ask2.current?.focus();
    if (sure === false) ask1.current?.focus();
  }, [sure]);
  if (!sure) {
    return (
      <button ref={ask1} type="button" onClick={() => setSure(true)}>
        Resign
      </button>
    );
  }
  return (
    <span class="acts-sure" role="group" aria-label="Resign this game?">
      <span>Resign this game?</span>
      <Act table={table} type="resign" text="Yes, resign" main />
      <button ref={ask2} type="button" onClick={() => setSure(false)}>
        No, play on
      </button>
    </span>
  );
}
