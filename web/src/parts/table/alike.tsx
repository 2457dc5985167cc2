// Opens a table on the terms of another: its game, seats, clock, policies, and which bots may come.

import { OWN } from "../../dialects";
import { complain } from "../../announce";
import { ask, state } from "../../line";
import * as me from "../../me";
import { go } from "../../route";
import { KEPT, type Table } from "../../tables";
import type { TableEvent } from "../../wire";
import { useBusy } from "../busy";
import { asPlayer } from "../me";
import { lastOf } from "./story";

type Opened = Extract<TableEvent, { type: "opened" }>;

export function OpenAlike({ table, main = false }: { table: Table; main?: boolean }) {
  const opened = lastOf(table.moments.value, "opened");
  const [busy, during] = useBusy();
  const off = busy || opened === null || state.value !== "up";
  const open = () => {
    if (off) return;
    asPlayer(() => {
      during(ask<{ type: string; table: number }>(wishFor(table, opened))).then(({ table: next }) => go(`/tables/${next}`), complain);
    });
  };
  return (
    <button type="button" class={main ? "main" : ""} aria-disabled={off} aria-busy={busy} onClick={open}>
      Open one like it
    </button>
  );
}

/** Who opened it has the same seat again, or none; anybody else the first. */
function wishFor(table: Table, { variant, seats, time, policy, house, by, takebacks }: Opened) {
  const sat = table.moments.peek().flatMap(({ event }) => (event.type === "sat" && event.player === me.player.peek() ? [event.seat] : []))[0];
  const mine = by !== undefined && by === me.player.peek();
  const sit = (policy.only === "" || policy.only === OWN) && (!mine || sat !== undefined);
  return { type: "open", variant, seats, time, policy, house: house ?? null, kept: KEPT, takebacks: takebacks ?? false, sit, seat: sit ? (sat ?? null) : null };
}
