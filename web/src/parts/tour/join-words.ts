// What a program says to join a tour, in each dialect that has words for its game.

import type { TourShown } from "../../wire";
import { variantOf } from "../../words";
import { ofTeams } from "./formats";

/** Whether a dialect has words for a variant; see docs/tours.md. */
const SPEAKS: Record<string, (game: string, options: Record<string, string>) => boolean> = {
  tourney: (game, { size = "8" }) => ["nim", "guess", "tictactoe"].includes(game) || (game === "reversi" && ["4", "6", "8"].includes(size)),
  blackwhite: (game, options) => game === "reversi" && options.size === "10" && Object.keys(options).length === 1,
  bughouse: (game) => game === "bughouse",
  fish: (game) => game === "fish",
  fishcom: (game) => game === "fish",
};

const SAYS: Record<string, (code: string) => string> = {
  tourney: (code) => (code ? `@TOUR:JOIN:${code}` : "@TOUR:JOIN"),
  blackwhite: (code) => `ENTERROOM [ann#${code}]`,
  bughouse: (code) => `ADD_PLAYER:ann#${code}`,
  fish: (code) => `{"type":"joinGame","age":8,"id":"ann#${code}"}`,
  fishcom: (code) => `"ann#${code}"`,
};

/** Dialects and what to say in each; those that cannot join are left out. */
export function joinWords({ line, plan, code }: TourShown): [dialect: string, words: string][] {
  const said = code || (line.coded ? "CODE" : "");
  const teams = ofTeams(line.variant, line.format);
  const only = String((plan.policy as { only?: string } | undefined)?.only ?? "");
  const { game, options } = variantOf(line.variant);
  const native = { type: "join_tour", ...(said ? { code: said } : { tour: line.tour }), ...(teams ? { team: "red" } : {}) };
  const found: [string, string][] = [["native", JSON.stringify(native)]];
  for (const [dialect, can] of Object.entries(SPEAKS)) {
    // Without a code nothing tells a wish for a game from a wish for this tour; only tourney has a word.
    const has = dialect === "tourney" || (said !== "" && !teams);
    if (has && can(game, options)) found.push([dialect, SAYS[dialect]?.(said) ?? ""]);
  }
  return found.filter(([dialect]) => only === "" || only === dialect);
}
