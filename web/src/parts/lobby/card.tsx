// One table at a glance: its board, live, who plays, and whose turn it is. A click opens it.

import { kitOf, ratioOf } from "../../boards";
import type { LastMove } from "../../boards/kit";
import { delayOf, leftOf, now, useTicking } from "../../clock";
import type { Table } from "../../tables";
import type { Moment, SeatLine, TableLine } from "../../wire";
import { calledOf, clockOf, outcomeOf, titleOf, variantOf, whoOf } from "../../words";
import { Board } from "../board";
import { useTable } from "../watched-table";

// Two small boards side by side, with the gap between them; there are no hands to make room for.
const TWO = 2.08;

interface Props {
  line: TableLine;
  /** Whether I sit there: then it says when it is my turn. */
  mine?: boolean;
}

export function LiveCard({ line: known, mine = false }: Props) {
  const table = useTable(known.table);
  const line = table?.line.value ?? known;
  const ratio = ratioOf(line.variant);
  const wide = ratio > 1.5 && !mine;
  return (
    <article class={mine ? "live card live-mine" : wide ? "live card live-wide" : "live card"} aria-label={`Table ${line.table}`}>
      <div class="live-frame" style={{ aspectRatio: String(wide ? Math.max(ratio, TWO) : 1) }}>
        <div style={{ width: `${Math.min(1, ratio) * 100}%` }}>
          <Board
            variant={line.variant}
            view={table?.view.value ?? null}
            seat={mine ? (table?.seat.value ?? null) : null}
            seats={line.seats}
            last={lastOf(table?.moments.value ?? [])}
            small
          />
        </div>
      </div>
      <h3 class="live-title">
        <a href={`/tables/${line.table}`}>{titleOf(line.variant)}</a>
        <State table={table} line={line} mine={mine} />
      </h3>
      <ul class="live-seats">
        {line.seats.map((seat) => (
          <Seat key={seat.seat} seat={seat} table={table} line={line} />
        ))}
      </ul>
    </article>
  );
}

function State({ table, line, mine }: { table: Table | null; line: TableLine; mine: boolean }) {
  if (line.status === "over") return <span class="badge">over</span>;
  if (line.status === "closed") return <span class="badge">closed</span>;
  if (mine && table?.myTurn.value) return <span class="badge badge-turn">your turn</span>;
  if (line.status === "open") return <span class="badge">waits for players</span>;
  return null; // it is played: the board shows it
}

function Seat({ seat, table, line }: { seat: SeatLine; table: Table | null; line: TableLine }) {
  const view = table?.view.value ?? null;
  const score = view ? kitOf(variantOf(line.variant).game)?.scores(view)?.[seat.seat] : undefined;
  const acts = line.status === "playing" && (table?.toAct.value.includes(seat.seat) ?? false);
  const won = line.outcome?.places[seat.seat] === 1 && outcomeOf(line) !== "A draw.";
  return (
    <li class={acts ? "live-seat live-acts" : "live-seat"}>
      <span class="live-who">
        {seat.player === null ? <span class="faint">free: {calledOf(seat.name)}</span> : whoOf(seat)}
        {acts && <span class="unseen"> to move</span>}
      </span>
      {seat.bot && <Robot />}
      {won && <span class="badge badge-live">won</span>}
      {score !== undefined && <span class="live-number">{score}</span>}
      {table && line.status === "playing" && <Left table={table} seat={seat.seat} time={line.time} acts={acts} />}
    </li>
  );
}

/** The sign of a program of the house, small enough for a card. */
function Robot() {
  return (
    <svg class="robot" viewBox="0 0 16 16" width="15" height="15" role="img" aria-label="bot">
      <title>A bot of the house</title>
      <path d="M8 1v3M3 5.5h10v8H3z" />
      <path d="M6 8.5v1.5M10 8.5v1.5" />
    </svg>
  );
}

/** What is left on a seat's clock. */
function Left({ table, seat, time, acts }: { table: Table; seat: number; time: string; acts: boolean }) {
  const reading = table.reading.value;
  useTicking(acts && reading.left !== null);
  const left = leftOf(reading, seat, delayOf(time), acts ? now.value : reading.taken);
  return left === null ? null : <span class="live-number live-clock">{clockOf(left)}</span>;
}

function lastOf(moments: readonly Moment[]): LastMove | null {
  const found = moments.findLast(({ event }) => event.type === "played");
  if (found?.event.type !== "played") return null;
  return { seat: found.event.seat, move: found.event.move, effects: found.effects };
}
