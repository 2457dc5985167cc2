// One act of the organiser's: to whom, for how long, and why; then it is done.

import { useState } from "preact/hooks";
import { tell } from "../../announce";
import { useBusy } from "../busy";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { REASON_MAX, again, write } from "../tour/organiser";

export interface Act {
  /** Where it is asked for, under /api/moderation. */
  path: "mutes" | "mutes/lift" | "bans" | "bans/lift";
  title: string;
  about: string;
}

export const ACTS: readonly Act[] = [
  { path: "mutes", title: "Mute a player", about: "They say nothing at tables and in the lobby, nor does who comes anew from the same address." },
  { path: "mutes/lift", title: "Unmute a player", about: "They may speak again." },
  { path: "bans", title: "Ban a player", about: "They are told why and hung up on; games they play end as for anybody who is gone." },
  { path: "bans/lift", title: "Lift a ban", about: "They may be here again, and so may everybody from their address if it was banned." },
];

const TIMES = [
  [600, "10 minutes"],
  [3_600, "an hour"],
  [86_400, "a day"],
  [604_800, "a week"],
  [0, "for ever"],
] as const;

export function Acting({ act, close }: { act: Act; close: () => void }) {
  const [whom, setWhom] = useState("");
  const [time, setTime] = useState(3_600);
  const [home, setHome] = useState(false);
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const lasts = act.path === "mutes" || act.path === "bans";
  const submit = (event: Event) => {
    event.preventDefault();
    const body = { player: Number(whom), reason: reason.trim(), ...(lasts && { seconds: time }), ...(act.path === "bans" && { home }) };
    // The server protects the address of a connection that has shown the token: this one, too.
    during(again().then(() => write(`/api/moderation/${act.path}`, body))).then(
      () => {
        tell("It is done.");
        close();
      },
      (why: Error) => setWrong(why.message),
    );
  };
  return (
    <Dialog title={act.title} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>{act.about}</p>
        <label>
          Number of the player
          <input name="whom" inputMode="numeric" pattern="[1-9][0-9]*" required autoFocus value={whom} autocomplete="off" onInput={(e) => setWhom(e.currentTarget.value)} />
        </label>
        {lasts && (
          <label>
            For how long
            <select value={time} onChange={(e) => setTime(Number(e.currentTarget.value))}>
              {TIMES.map(([seconds, words]) => (
                <option key={seconds} value={seconds}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        )}
        {act.path === "bans" && (
          <label class="check">
            <input type="checkbox" checked={home} onChange={(e) => setHome(e.currentTarget.checked)} />
            Everybody from their address, as a family or a school
          </label>
        )}
        <label>
          Why
          <input name="reason" value={reason} maxLength={REASON_MAX} autocomplete="off" onInput={(e) => setReason(e.currentTarget.value)} />
        </label>
        <FormEnd wrong={wrong} act="Do it" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}
