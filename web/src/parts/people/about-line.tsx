// What can be done about a line that somebody else said: report it, and hear no more of its author.

import { useState } from "preact/hooks";
import { tell } from "../../announce";
import { ask } from "../../line";
import * as me from "../../me";
import { useBusy } from "../busy";
import { Dialog } from "../dialog";
import { Wrong } from "../form";
import { asPlayer } from "../me";
import { block } from "./blocked";

export const REASON_MAX = 200; // characters; the server has the same bound

export interface SaidLine {
  player: number;
  name: string;
  text: string;
  /** Its number in the lobby, or that of its event at a table. */
  line: number;
  table: number | null;
}

export function AboutLine({ said }: { said: SaidLine }) {
  const [open, setOpen] = useState(false);
  if (said.player === me.number.value) return null;
  return (
    <>
      <button type="button" class="quiet about-line" aria-label={`Report or block ${said.name}`} title="Report or block" onClick={() => asPlayer(() => setOpen(true))}>
        ⋯
      </button>
      {open && <Asking said={said} close={() => setOpen(false)} />}
    </>
  );
}

function Asking({ said, close }: { said: SaidLine; close: () => void }) {
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const doing = (work: Promise<unknown>, done: string) =>
    during(work).then(
      () => {
        tell(done);
        close();
      },
      (why: Error) => setWrong(why.message),
    );
  const report = (event: Event) => {
    event.preventDefault();
    void doing(ask({ type: "report", line: said.line, table: said.table, reason: reason.trim() }), "The organiser will read it.");
  };
  return (
    <Dialog title={`What ${said.name} said`} close={close}>
      <form onSubmit={report} onInput={() => setWrong("")}>
        <blockquote class="said">{said.text}</blockquote>
        <label>
          What is wrong with it, for the organiser
          <input name="reason" value={reason} maxLength={REASON_MAX} autocomplete="off" onInput={(e) => setReason(e.currentTarget.value)} />
        </label>
        <p class="hint-text">Who is blocked is not heard by you any more, cannot challenge you, nor sit down where you wait. Tours are as they are; Settings takes it back.</p>
        <Wrong text={wrong} />
        <div class="actions">
          <button type="button" class="quiet" onClick={close}>
            Cancel
          </button>
          <button type="button" disabled={busy} onClick={() => void doing(block(said.player), `You hear nothing more of ${said.name}.`)}>
            Block {said.name}
          </button>
          <button type="submit" class="main" disabled={busy} aria-busy={busy}>
            Report
          </button>
        </div>
      </form>
    </Dialog>
  );
}
