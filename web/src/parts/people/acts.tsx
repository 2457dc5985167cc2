// What was done, as a sentence: to whom, for how long and why.

import type { ActLine } from "../../wire";
import { whenOf } from "../../words";
import type { Wish } from "./acting";

const DID: Record<string, string> = {
  muted: "muted",
  unmuted: "let speak again",
  banned: "banned",
  ban_lifted: "lifted the ban of",
  table_shut: "closed table",
  passphrase_reset: "reset the passphrase of",
};

export function ActRow({ act }: { act: ActLine }) {
  return (
    <li>
      <span class="faint">{whenOf(act.at)}</span> {DID[act.act] ?? act.act} <Whom act={act} />
      {act.reason && `: ${act.reason}`}
    </li>
  );
}

/** One that still holds, and the button that ends it. */
export function SanctionRow({ act, lift }: { act: ActLine; lift: (wish: Wish) => void }) {
  const muted = act.act === "muted";
  const name = act.name || act.home || "";
  const about = act.whom == null ? { whom: null, host: act.home ?? "" } : { whom: act.whom };
  return (
    <li>
      <Whom act={act} /> {muted ? "is muted" : "is banned"} {act.until ? `until ${whenOf(act.until)}` : "for ever"}
      {act.reason && `: ${act.reason}`}{" "}
      <button type="button" class="quiet" aria-label={`${muted ? "Unmute" : "Lift the ban of"} ${name}`} onClick={() => lift({ type: muted ? "unmute" : "lift_ban", name, ...about })}>
        Lift
      </button>
    </li>
  );
}

function Whom({ act }: { act: ActLine }) {
  if (act.whom != null) return <a href={`/players/${act.whom}`}>{act.name || `player ${act.whom}`}</a>;
  if (act.table != null) return <a href={`/tables/${act.table}`}>{act.table}</a>;
  return <>{act.home || ""}</>;
}
