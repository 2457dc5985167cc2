// Names of entrants, wherever a tour is shown: by number, with links where one player has it.

import type { EntrantLine } from "../../wire";
import * as me from "../../me";

export type Names = Map<number, EntrantLine>;

export function namesOf(entrants: readonly EntrantLine[]): Names {
  return new Map(entrants.map((one) => [one.entrant, one]));
}

export function nameOf(names: Names, entrant: number): string {
  return names.get(entrant)?.name || `Entrant ${entrant}`;
}

/** An entrant's name; a player's is a link, and one's own is marked. */
export function Name({ names, entrant }: { names: Names; entrant: number }) {
  const found = names.get(entrant);
  const only = found?.players.length === 1 ? found.players[0] : undefined;
  const mine = found?.players.some((one) => one.player === me.player.value) ?? false;
  const text = nameOf(names, entrant);
  return (
    <span class="entrant-name">
      {only ? <a href={`/players/${only.player}`}>{text}</a> : text}
      {mine && <span class="badge">you</span>}
    </span>
  );
}
