// What a player can do beside moving: resign, agree on a draw, take a move back, call the game off.

import { useEffect, useRef, useState } from "preact/hooks";
import { gameFor } from "../../games";
import type { Table } from "../../tables";
import type { TableLine } from "../../wire";
import { calledOf, listOf, whoOf } from "../../words";
import { useFocusKept } from "../focus";
import { Act } from "./act";
import { Hint, mayHint } from "./analysing";
import type { Away } from "./away";
import { Saying } from "./saying";
import { lastOf, movesUpTo, offersOf, outOf, stepsOf, teamOf } from "./story";
import { mayTakeBack, sayTakeback, TakeBack, whoAsks } from "./takeback";

interface Props {
  table: Table;
  line: TableLine;
}

const ABORTABLE = 2; // moves, before which a game may be called off

export function Actions({ table, line, away }: Props & { away: Away }) {
  const seat = table.seat.value;
  const place = useFocusKept<HTMLElement>();
  const [sure, setSure] = useState<boolean | null>(null); // whether to resign; null: never asked
  if (seat === null || line.status !== "playing" || outOf(table.moments.value).has(seat)) return null;
  const back = mayTakeBack(table);
  const asked = back && whoAsks(table, seat) !== null; // which is to be answered first
  const draws = (gameFor(line.variant)?.draws ?? false) && !asked;
  const said = (back && sayTakeback(table, line, seat)) || (draws ? <Offers table={table} line={line} seat={seat} /> : youPlay(line, seat));
  return (
    <section ref={place} tabIndex={-1} class="card acts" aria-label="Your game">
      <Saying table={table} line={line} away={away} first={sure === true}>
        {sure ? "Resign this game?" : said}
      </Saying>
      <div class={draws || back ? "acts-row acts-draws" : "acts-row"}>
        {!sure && mayHint(table, line) && <Hint table={table} line={line} />}
        {back && !sure && <TakeBack table={table} seat={seat} />}
        {draws && !sure && <Draw table={table} line={line} seat={seat} />}
        <Ending table={table} line={line} seat={seat} sure={sure} setSure={setSure} />
      </div>
    </section>
  );
}

/** `You play white on board 1, with Dan.` */
function youPlay(line: TableLine, seat: number): string {
  const partners = line.seats.filter((one) => one.seat !== seat && teamOf(line.variant, one.seat) === teamOf(line.variant, seat));
  return `You play ${calledOf(line.seats[seat]?.name ?? "")}${partners.length > 0 ? `, with ${listOf(partners.map(whoOf))}` : ""}.`;
}

/** How it stands with a draw, where one was offered. */
function Offers({ table, line, seat }: Props & { seat: number }) {
  const { open, asked } = offersOf(line.variant, table.moments.value);
  const mine = teamOf(line.variant, seat);
  if (open.has(mine)) return <>You have offered a draw.</>;
  if (open.size > 0) {
    const others = line.seats.filter((one) => open.has(teamOf(line.variant, one.seat))).map(whoOf);
    return (
      <>
        <b>{listOf(others)}</b> {others.length === 1 ? "offers" : "offer"} a draw.
      </>
    );
  }
  return <>{asked.has(mine) ? "Declined. You may offer a draw again after the next move." : youPlay(line, seat)}</>;
}

/** To offer a draw, or to answer an offer, in the same place. */
function Draw({ table, line, seat }: Props & { seat: number }) {
  const { open, asked } = offersOf(line.variant, table.moments.value);
  const mine = teamOf(line.variant, seat);
  if (isOffered(open, mine)) {
    return (
      <>
        <Act table={table} type="offer_draw" text="Accept" main />
        <Act table={table} type="decline_draw" text="Decline" />
      </>
    );
  }
  const why = open.has(mine) ? "You have offered a draw already." : asked.has(mine) ? "You may offer a draw again after the next move." : "";
  return <Act table={table} type="offer_draw" text="Offer a draw" not={why} />;
}

/** Whether the others would take a draw, and we have not said. */
function isOffered(open: ReadonlySet<number>, mine: number): boolean {
  return open.size > 0 && !open.has(mine);
}

interface EndingProps extends Props {
  seat: number;
  sure: boolean | null;
  setSure: (sure: boolean) => void;
}

/** To end the game before its time; resigning is asked once more, in the same place. */
function Ending({ table, line, seat, sure, setSure }: EndingProps) {
  const resign = useRef<HTMLButtonElement>(null);
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (sure === true) stay.current?.focus();
    if (sure === false) resign.current?.focus();
  }, [sure]);
  if (sure) {
    return (
      <div class="acts-row" role="group" aria-label="Resign this game?">
        <Act table={table} type="resign" text="Yes, resign" main />
        <button ref={stay} type="button" onClick={() => setSure(false)}>
          No, play on
        </button>
      </div>
    );
  }
  const steps = stepsOf(table.moments.value);
  const bound = line.tour !== null || Boolean(lastOf(table.moments.value, "opened")?.room);
  const late = movesUpTo(steps, steps.length) >= ABORTABLE;
  const offered = isOffered(offersOf(line.variant, table.moments.value).open, teamOf(line.variant, seat)); // which comes first
  return (
    <>
      <button ref={resign} type="button" onClick={() => setSure(true)}>
        Resign
      </button>
      {/* It goes after the second move, and its place stays: nothing jumps. */}
      {!bound && !offered && (
        <span class={late ? "gone" : ""}>
          <Act table={table} type="abort" text="Call off" />
        </span>
      )}
    </>
  );
}
