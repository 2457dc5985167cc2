// The matches that are being played, as small boards. A match keeps its place until another one
// wants it, so nothing jumps when games end.

import { hasTwoBoards } from "../../boards";
import { useRef } from "preact/hooks";
import { kitOf } from "../../boards";
import type { MatchLine } from "../../wire";
import { variantOf, whoOf } from "../../words";
import { Board } from "../board";
import { useTable } from "../watched-table";

const MOST = 8;

export function Boards({ variant, matches }: { variant: string; matches: readonly MatchLine[] }) {
  const slots = useRef<number[]>([]);
  slots.current = placed(slots.current, matches);
  const running = matches.filter((match) => match.status === "playing").length;
  if (slots.current.length === 0) return <p class="empty">No match is being played just now.</p>;
  return (
    <>
      <ul class={hasTwoBoards(variant) ? "live-boards live-wide" : "live-boards"}>
        {slots.current.map((table, i) => (
          <LiveBoard key={`${i}:${table}`} variant={variant} id={table} />
        ))}
      </ul>
      {running > MOST && <p class="key">{running - MOST} more are being played; the schedule has them all.</p>}
    </>
  );
}

/** The tables in their places: those that run stay, new ones take the places of those that ended. */
function placed(slots: readonly number[], matches: readonly MatchLine[]): number[] {
  const running = matches.filter((match) => match.status === "playing" && match.table !== null).map((match) => match.table as number);
  const fresh = running.filter((table) => !slots.includes(table));
  const next = slots.map((table) => (running.includes(table) ? table : (fresh.shift() ?? table)));
  return [...next, ...fresh.slice(0, Math.max(0, MOST - next.length))];
}

function LiveBoard({ variant, id }: { variant: string; id: number }) {
  const table = useTable(id);
  const line = table?.line.value ?? null;
  const view = table?.view.value ?? null;
  const seats = line?.seats ?? [];
  const scores = view ? kitOf(variantOf(variant).game)?.scores(view) : null;
  const over = line?.status === "over";
  return (
    <li class="card live-board">
      <a href={`/tables/${id}`}>
        <Board variant={line?.variant ?? variant} view={view} seats={seats} small />
        <span class="live-names">
          {seats.map((seat) => (
            <span key={seat.seat} class={line?.outcome?.places[seat.seat] === 1 ? "first" : ""}>
              <span class="live-name">
                {table?.toAct.value.includes(seat.seat) && !over ? <span aria-hidden="true">▸ </span> : null}
                {whoOf(seat)}
              </span>
              <span>{scores?.[seat.seat] ?? ""}</span>
            </span>
          ))}
        </span>
        <span class="live-foot faint">{over ? "over" : `table ${id}`}</span>
      </a>
    </li>
  );
}
