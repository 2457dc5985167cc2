// The dialects of this server, and what each declares of its clients: asked for with the games.

import { signal } from "@preact/signals";
import type { DialectLine, DialectWords, GameLine } from "./wire";
import { calledOf, gameOf, listOf, variantOf } from "./words";

/** What this page speaks. */
export const OWN = "native";

/** What people are told of a player's language: nothing where it is the page's own. */
export function spokenOf(dialect: string): string {
  return dialect === OWN ? "" : dialect;
}

/** All dialects, the page's own first; empty until they are known. */
export const dialects = signal<readonly DialectLine[]>([]);

/** Keep what the server told. */
export function keepDialects(found: readonly DialectLine[]): void {
  const own = (one: DialectLine) => Number(one.name !== OWN);
  dialects.value = [...found].sort((a, b) => own(a) - own(b));
}

/** Which games a dialect has words for, as people are told: `Nim and Reversi (size 4, 6 or 8)`. */
export function playsOf({ words }: DialectLine): string {
  return words === null ? "every game" : listOf(words.map(said));
}

function said({ game, options }: DialectWords): string {
  const bound = Object.entries(options).map(([name, values]) => `${calledOf(name, game)} ${listOf(values, "disjunction")}`);
  return bound.length === 0 ? gameOf(game) : `${gameOf(game)} (${bound.join("; ")})`;
}

/** The dialects that have words for this variant of a game. */
export function speaking(variant: string, game: GameLine | undefined): DialectLine[] {
  return dialects.value.filter((dialect) => speaks(dialect, variant, game));
}

function speaks({ words }: DialectLine, variant: string, line: GameLine | undefined): boolean {
  const { game, options } = variantOf(variant);
  const usual = (name: string) => String(line?.options.find((option) => option.name === name)?.default ?? "");
  return (
    words === null ||
    words.some((some) => {
      if (some.game !== game) return false;
      const bound = Object.entries(some.options).every(([name, values]) => values.includes(options[name] ?? usual(name)));
      return bound && (some.others || Object.entries(options).every(([name, value]) => name in some.options || value === usual(name)));
    })
  );
}
