// The games of this server, and what may be done in each: asked for once, by whoever needs it first.

import { signal } from "@preact/signals";
import { get } from "./api";
import { keepDialects } from "./dialects";
import { formats } from "./formats";
import { state } from "./line";
import { useEvery } from "./parts/page";
import { callings, titles } from "./titles";
import type { DialectLine, FormatLine, GameLine } from "./wire";
import { variantOf } from "./words";

const AGAIN = 5000; // milliseconds until it is asked again where no answer came

export const games = signal<readonly GameLine[] | null>(null);
let asking = false;

/** All games; null until they are known. */
export function useGames(): readonly GameLine[] | null {
  useEvery(AGAIN, () => void ask(), games.value === null && state.value === "up");
  return games.value;
}

/** The game of this variant; undefined until it is known, which it soon is on every page. */
export function gameFor(variant: string): GameLine | undefined {
  return games.value?.find(({ name }) => name === variantOf(variant).game);
}

async function ask(): Promise<void> {
  // Whoever was drawn before they were known may ask when they are: answers can be that quick.
  if (asking || games.value !== null) return;
  asking = true;
  const asked = [
    get<{ games: GameLine[] }>("/api/games"),
    get<{ dialects: DialectLine[] }>("/api/dialects"),
    get<{ formats: FormatLine[] }>("/api/formats"),
  ] as const;
  const found = await Promise.all(asked).catch(() => null);
  if (found) {
    keepDialects(found[1].dialects);
    formats.value = found[2].formats;
    titles.value = Object.fromEntries(found[0].games.map(({ name, shown }) => [name, shown.title]));
    callings.value = Object.fromEntries(found[0].games.map(({ name, shown }) => [name, shown.words]));
    games.value = found[0].games;
  }
  asking = false;
}
