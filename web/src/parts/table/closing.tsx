// For the organiser: closing a table, whatever happens at it, with a reason for all who are there.

import { useState } from "preact/hooks";
import { tell } from "../../announce";
import type { Table } from "../../tables";
import type { TableLine } from "../../wire";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { REASON_MAX, token, write } from "../tour/organiser";

export function Closing({ table, line }: { table: Table; line: TableLine }) {
  const [asking, setAsking] = useState(false);
  if (!token.value || (line.status !== "open" && line.status !== "playing")) return null;
  return (
    <section class="card acts" aria-label="For the organiser">
      <div class="acts-row">
        <button type="button" onClick={() => setAsking(true)}>
          Close this table
        </button>
      </div>
      {asking && <Asking table={table} line={line} close={() => setAsking(false)} />}
    </section>
  );
}

function Asking({ table, line, close }: { table: Table; line: TableLine; close: () => void }) {
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    write(`/api/tables/${table.id}/close`, { reason: reason.trim() })
      .then(
        () => {
          tell(`Table ${table.id} is closed.`);
          close();
          void table.glance();
        },
        (why: Error) => setWrong(why.message),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={`Close table ${table.id}?`} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>{aboutOf(line)} It cannot be taken back.</p>
        <label>
          Why, for all who are there
          <input name="reason" value={reason} maxLength={REASON_MAX} autoFocus autocomplete="off" onInput={(e) => setReason(e.currentTarget.value)} />
        </label>
        <FormEnd wrong={wrong} act="Close it" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}

/** What becomes of the game. */
function aboutOf(line: TableLine): string {
  if (line.status === "open") return "Everybody gets up, and the table is gone.";
  if (line.tour !== null) return "The match is over, and nobody wins it; void it in the tour to have it played again.";
  return "The game is over, and nobody wins it.";
}
