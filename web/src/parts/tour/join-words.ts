// What a program says to join a tour, in each dialect that has words for its game.

import type { TourShown } from "../../wire";
import { variantOf } from "../../words";
import { ofTeams } from "./formats";

/** Whether a dialect has words for a variant; see docs/tours.md. */
const SPEAKS: Record<string, (game: string, options: Record<string, string>) => boolean> = {
  native: () => true,
  tourney: (game, { size = "8" }) => ["nim", "guess", "tictactoe"].includes(game) || (game === "reversi" && ["4", "6", "8"].includes(size)),
  othello: (game, { size = "8" }) => game === "reversi" && size === "8",
  blackwhite: (game, options) => game === "reversi" && options.size === "10" && Object.keys(options).length === 1,
  bughouse: (game) => game === "bughouse",
  fish: (game) => game === "fish",
  fishcom: (game) => game === "fish",
};

/** The dialects that have words for this game. */
export function speakersOf(variant: string): string[] {
  const { game, options } = variantOf(variant);
  return Object.entries(SPEAKS).flatMap(([dialect, can]) => (can(game, options) ? [dialect] : []));
}

/** What is said with a code; those of othello say nothing, and come to a port that has it. */
const SAYS: Record<string, (code: string, tour: number) => string> = {
  tourney: (code, tour) => `@TOUR:JOIN:${code || tour}`,
  blackwhite: (code) => `ENTERROOM [ann#${code}]`,
  bughouse: (code) => `ADD_PLAYER:ann#${code}`,
  fish: (code) => `{"type":"joinGame","age":8,"id":"ann#${code}"}`,
  fishcom: (code) => `"ann#${code}"`,
};

/** The one dialect a tour is for; empty where it is for all. */
export function onlyOf({ plan }: TourShown): string {
  return String((plan.policy as { only?: string } | undefined)?.only ?? "");
}

/** Dialects and what to say in each; those that cannot join are left out. */
export function joinWords(shown: TourShown): [dialect: string, words: string][] {
  const { line, code } = shown;
  const only = onlyOf(shown);
  const said = code || (line.coded ? "CODE" : "");
  const teams = ofTeams(line.variant, line.format);
  const native = { type: "join_tour", ...(said ? { code: said } : { tour: line.tour }), ...(teams ? { team: "red" } : {}) };
  return speakersOf(line.variant).flatMap((dialect): [string, string][] => {
    if (only !== "" && only !== dialect) return [];
    if (dialect === "native") return [[dialect, JSON.stringify(native)]];
    // Without a code nothing tells a wish for a game from a wish for this tour; only tourney has a word.
    const has = dialect === "tourney" || (said !== "" && !teams);
    const words = SAYS[dialect]?.(said, line.tour);
    return has && words ? [[dialect, words]] : [];
  });
}
