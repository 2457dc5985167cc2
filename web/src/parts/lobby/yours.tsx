// One's own games, as small boards: first those where one's clock runs, then those of tours, then
// the newest. All are watched, also those that have no room for a board.

import { useEffect, useRef, useState } from "preact/hooks";
import { state } from "../../line";
import { drop, hold, type Table } from "../../tables";
import type { TableLine } from "../../wire";
import { timeOf, titleOf } from "../../words";
import { LiveCard } from "./card";

export const BOARDS = 4; // of one's own that are shown

type Held = ReadonlyMap<number, Table>;

export function Yours({ tables }: { tables: readonly TableLine[] }) {
  const held = useHeld(tables.map(({ table }) => table));
  // Until it is known whose turn it is they have no order: nothing is shown that would change places.
  const ready = useRef(false);
  ready.current ||= state.value === "down" || tables.every(({ table }) => isKnown(held.get(table)));
  const sorted = [...tables].sort((a, b) => urgency(b, held) - urgency(a, held) || b.table - a.table);
  const rest = sorted.slice(BOARDS);
  return (
    <section class={ready.current ? "" : "yours-coming"} aria-labelledby="yours-title" aria-busy={!ready.current}>
      <h2 id="yours-title">Your games</h2>
      <div class="lives-mine">
        {sorted.slice(0, BOARDS).map((line) => (
          <LiveCard key={line.table} line={line} mine />
        ))}
      </div>
      {rest.length > 0 && (
        <p class="lobby-more">
          And{" "}
          {rest.map((line, i) => (
            <span key={line.table}>
              {i > 0 && "; "}
              <a href={`/tables/${line.table}`}>
                {titleOf(line.variant)} at table {line.table}
              </a>
              , {timeOf(line.time)}
              {line.status === "open" && ", waits for players"}
              {held.get(line.table)?.myTurn.value && <strong>, your turn</strong>}
            </span>
          ))}
        </p>
      )}
    </section>
  );
}

function isKnown(table: Table | undefined): boolean {
  return table !== undefined && (table.line.value !== null || table.missing.value !== "");
}

/** 2 where my clock runs, 1 in a tour. */
function urgency(line: TableLine, held: Held): number {
  const table = held.get(line.table);
  if (table?.myTurn.value && table.reading.value.left !== null) return 2;
  return line.tour === null ? 0 : 1;
}

/** These tables, watched for as long as this is shown. */
function useHeld(ids: readonly number[]): Held {
  const [held, setHeld] = useState<Held>(new Map());
  useEffect(() => {
    const some = new Map(ids.map((id) => [id, hold(id)]));
    setHeld(some);
    return () => some.forEach(drop);
  }, [[...ids].sort((a, b) => a - b).join()]);
  return held;
}
