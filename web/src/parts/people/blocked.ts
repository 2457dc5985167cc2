// Whom I have blocked: kept by the server with my name, and asked for whenever the line stands.

import { effect, signal, untracked } from "@preact/signals";
import * as line from "../../line";
import * as me from "../../me";
import type { Blocks, Onlooker } from "../../wire";

/** Those whom I have blocked. */
export const blocked = signal<readonly Onlooker[]>([]);

effect(() => {
  line.standing.value;
  const player = me.player.value;
  untracked(() => {
    if (player === null || line.state.value !== "up") blocked.value = [];
    else void look();
  });
});

async function look(): Promise<void> {
  const found = await line.ask<Blocks>({ type: "list_blocked" }).catch(() => null);
  if (found) blocked.value = found.blocked;
}

/** Whether I hear nothing of this player. */
export function isBlocked(player: number): boolean {
  return blocked.value.some((one) => one.player === player);
}

/** Hear nothing more of them. Rejects with a Refusal. */
export async function block(whom: number): Promise<void> {
  await line.ask({ type: "block", whom });
  await look();
}

/** Hear them again. Rejects with a Refusal. */
export async function unblock(whom: number): Promise<void> {
  await line.ask({ type: "unblock", whom });
  await look();
}
