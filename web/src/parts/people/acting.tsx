// One act of the organiser's: to whom, for how long, and why; then it is done.

import { useState } from "preact/hooks";
import { tell } from "../../announce";
import { ask } from "../../line";
import { useBusy } from "../busy";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { REASON_MAX } from "../tour/organiser";

export interface Wish {
  type: "mute" | "unmute" | "ban" | "lift_ban";
  /** A player's number; null where it is still to be said, or it is about a home. */
  whom: number | null;
  name: string;
  host?: string;
}

const TITLES: Record<Wish["type"], string> = {
  mute: "Mute",
  unmute: "Let speak again",
  ban: "Ban",
  lift_ban: "Lift the ban of",
};

const ABOUT: Record<Wish["type"], string> = {
  mute: "They say nothing at tables and in the lobby, nor does who comes anew from the same address.",
  unmute: "They may speak again.",
  ban: "They are told why and hung up on; games they play end as for anybody who is gone.",
  lift_ban: "They may be here again.",
};

const TIMES = [
  [600, "10 minutes"],
  [3_600, "an hour"],
  [86_400, "a day"],
  [604_800, "a week"],
  [0, "for ever"],
] as const;

export function Acting({ wish, close, done }: { wish: Wish; close: () => void; done: () => void }) {
  const [whom, setWhom] = useState(wish.whom === null ? "" : String(wish.whom));
  const [time, setTime] = useState(3_600);
  const [home, setHome] = useState(false);
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const lasts = wish.type === "mute" || wish.type === "ban";
  const asks = wish.whom === null && wish.host === undefined;
  const submit = (event: Event) => {
    event.preventDefault();
    const about = wish.host !== undefined ? { host: wish.host } : { whom: Number(whom) };
    const long = lasts ? { time: time * 1e6 } : {};
    const where = wish.type === "ban" ? { home } : {};
    during(ask({ type: wish.type, ...about, ...long, ...where, reason: reason.trim() })).then(
      () => {
        tell("It is done.");
        done();
      },
      (why: Error) => setWrong(why.message),
    );
  };
  return (
    <Dialog title={`${TITLES[wish.type]} ${wish.host ?? wish.name}`.trim()} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>{ABOUT[wish.type]}</p>
        {asks && (
          <label>
            Number of the player
            <input name="whom" inputMode="numeric" pattern="[1-9][0-9]*" required autoFocus value={whom} autocomplete="off" onInput={(e) => setWhom(e.currentTarget.value)} />
          </label>
        )}
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
        {wish.type === "ban" && (
          <label class="check">
            <input type="checkbox" checked={home} onChange={(e) => setHome(e.currentTarget.checked)} />
            Everybody from their address, as a family or a school
          </label>
        )}
        <label>
          Why
          <input name="reason" value={reason} maxLength={REASON_MAX} autoFocus={!asks} autocomplete="off" onInput={(e) => setReason(e.currentTarget.value)} />
        </label>
        <FormEnd wrong={wrong} act="Do it" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}
