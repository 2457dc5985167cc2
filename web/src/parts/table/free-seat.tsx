// A seat that nobody has: who may takes it right there, and reads with whom.

import { complain } from "../../announce";
import { codeFor } from "../../codes";
import { OWN } from "../../dialects";
import { ask, state } from "../../line";
import type { Table } from "../../tables";
import type { SeatLine, TableLine } from "../../wire";
import { calledOf, listOf, whoOf } from "../../words";
import { useBusy } from "../busy";
import { asPlayer } from "../me";

/** Whether I may still take a seat there. */
export function maySit(table: Table, line: TableLine): boolean {
  const only = table.policy.value?.only ?? "";
  return line.status === "open" && table.seat.value === null && (only === "" || only === OWN);
}

export function FreeSeat({ table, line, seat }: { table: Table; line: TableLine; seat: SeatLine }) {
  const [busy, during] = useBusy();
  if (!maySit(table, line)) return <span class="strip-name faint">Free seat</span>;
  const others = line.seats.filter((one) => one.player !== null).map(whoOf);
  const sit = () => asPlayer(() => void during(ask({ type: "sit", table: table.id, seat: seat.seat, code: codeFor(table.id) })).catch(complain));
  return (
    <button type="button" class="main strip-sit" aria-busy={busy} disabled={busy || state.value !== "up"} onClick={sit}>
      Sit here{others.length > 0 ? `, with ${listOf(others)}` : ""}
      <span class="unseen"> as {calledOf(seat.name)}</span>
    </button>
  );
}
