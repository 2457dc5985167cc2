// Which language each player speaks: asked once a player, since nobody changes it.

import { type Signal, signal } from "@preact/signals";
import { get } from "../../api";
import type { PlayerLine } from "../../wire";

const known = new Map<number, Signal<string>>();

/** The player's dialect; empty until it is known. */
export function dialectOf(player: number): string {
  let found = known.get(player);
  if (!found) {
    const fresh = signal("");
    known.set(player, fresh);
    get<{ line: PlayerLine }>(`/api/players/${player}`).then(
      ({ line }) => (fresh.value = line.dialect),
      () => known.delete(player),
    );
    found = fresh;
  }
  return found.value;
}
