// For who looks on: that all seats are taken, and how to have a game of one's own.

import * as me from "../../me";
import type { Table } from "../../tables";
import type { TableLine } from "../../wire";
import { OpenAlike } from "./alike";
import type { Away } from "./away";
import { Saying } from "./saying";
import { lastOf, outOf } from "./story";

export function Watching({ table, line, away }: { table: Table; line: TableLine; away: Away }) {
  const seat = table.seat.value;
  const out = seat !== null && outOf(table.moments.value).has(seat);
  const elsewhere = seat === null && line.seats.some((one) => one.player !== null && one.player === me.number.value);
  if (line.status !== "playing" || elsewhere || (seat !== null && !out)) return null;
  const bound = line.tour !== null || Boolean(lastOf(table.moments.value, "opened")?.room);
  return (
    <section class="card acts watching" aria-label="You watch">
      <Saying table={table} line={line} away={away}>
        {out ? "You are out of this game; you watch." : "All seats are taken; you watch."}
      </Saying>
      {!bound && (
        <div class="acts-row">
          <OpenAlike table={table} />
          <a class="button" href="/">
            To the lobby
          </a>
        </div>
      )}
    </section>
  );
}
