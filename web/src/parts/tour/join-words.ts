// What a program says to join a tour, in each dialect that has words for its game.

import { OWN, speaking } from "../../dialects";
import { gameFor } from "../../games";
import type { DialectLine, TourShown } from "../../wire";
import { ofTeams } from "./formats";

/** The names of the dialects that have words for this game. */
export function speakersOf(variant: string): string[] {
  return speaking(variant, gameFor(variant)).map(({ name }) => name);
}

/** What is said in an old language: nothing where there is no word for it, or nobody has a name. */
function said({ hello, named, tours, joins, joins_open }: DialectLine, code: string, tour: number, teams: boolean): string {
  if (tours) return (code ? joins : joins_open).replace("{code}", code).replace("{tour}", String(tour)).replace("{team}", "");
  // Without a code nothing tells a wish for a game from a wish for this tour.
  return named && code && !teams ? hello.replace("ann", `ann#${code}`) : "";
}

/** The one dialect a tour is for; empty where it is for all. */
export function onlyOf({ plan }: TourShown): string {
  return String((plan.policy as { only?: string } | undefined)?.only ?? "");
}

/** Dialects and what to say in each; those that cannot join are left out. */
export function joinWords(shown: TourShown): [dialect: string, words: string][] {
  const { line, code } = shown;
  const only = onlyOf(shown);
  const known = code || (line.coded ? "CODE" : "");
  const teams = ofTeams(line.variant, line.format);
  const own = { type: "join_tour", ...(known ? { code: known } : { tour: line.tour }), ...(teams ? { team: "red" } : {}) };
  return speaking(line.variant, gameFor(line.variant)).flatMap((dialect): [string, string][] => {
    if (only !== "" && only !== dialect.name) return [];
    const words = dialect.name === OWN ? JSON.stringify(own) : said(dialect, known, line.tour, teams);
    return words ? [[dialect.name, words]] : [];
  });
}
