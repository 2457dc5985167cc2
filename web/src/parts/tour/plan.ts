// A tour's plan, from the fields of the form: what the server is asked to open. And back: what
// whoever joins should know of it.

import { FIRST_GAME } from "../../boards";
import { OWN } from "../../dialects";
import type { GameLine, TourShown } from "../../wire";
import { policyOf, USUAL as MANNERS } from "../lobby/manners";
import { DEFAULT_TIES, formatOf, ofTeams } from "./formats";
import { speakersOf } from "./join-words";

/** The form's fields by name; those of a game or a format are called `reversi.size`. */
export type Values = Record<string, string>;

export const USUAL: Values = {
  game: FIRST_GAME,
  format: "round_robin",
  time: "5m",
  points: "1-0.5-0",
  codeKind: "drawn",
  ties: DEFAULT_TIES.join(" "),
  seeding: "joined",
  late: "true",
  rated: "true",
  ...MANNERS,
};

interface Wish {
  plan: Record<string, unknown>;
  /** Left out, the server draws one; empty, none is needed. */
  code?: string;
}

export function wishOf(values: Values, game: GameLine | undefined): Wish {
  const format = formatOf(values.format ?? "");
  const plan: Record<string, unknown> = {
    variant: variantFrom(values, game),
    format: written(
      format.name,
      [...format.options, ...(format.told ?? [])].map((one) => one.name),
      values,
      Object.fromEntries((format.told ?? []).map((one) => [one.name, String(one.default)])),
    ),
    name: (values.name ?? "").trim(),
    time: (values.time ?? "").trim(),
    points: values.points,
    ties: tiesOf(values),
    policy: policyOf({ ...MANNERS, ...values, only: onlyFrom(values, game) }),
    farewell: values.strict === "true" && values.farewell === "true", // it needs the other
  };
  if (format.seeded) plan.seeding = values.seeding;
  if (values.seats && game?.seats.includes(Number(values.seats))) plan.seats = Number(values.seats);
  for (const name of ["fair", "late", "rated", "strict", "stays"]) if (values[name] !== undefined) plan[name] = values[name] === "true";
  for (const name of ["parallel", "at_once"]) if (values[name]) plan[name] = Number(values[name]);
  if (values.starts) plan.starts = new Date(values.starts).getTime() * 1000;
  if (values.absent) plan.absent = Math.round(Number(values.absent) * 60e6);
  if (values.codeKind === "drawn") return { plan };
  return { plan, code: values.codeKind === "own" ? (values.code ?? "") : "" };
}

/** The tie-breaks that are wanted, the weightiest first. */
export function tiesOf(values: Values): string[] {
  return (values.ties ?? "").split(" ").filter(Boolean);
}

/** The dialects that such a tour may be for alone. */
export function dialectsFrom(values: Values, game: GameLine | undefined): string[] {
  // Only the page's own language has a word for one's team.
  return ofTeams(values.game ?? "", values.format ?? "") ? [OWN] : speakersOf(variantFrom(values, game));
}

/** The dialect that was chosen, as long as it has words for what was chosen besides. */
export function onlyFrom(values: Values, game: GameLine | undefined): string {
  return dialectsFrom(values, game).find((dialect) => dialect === values.only) ?? "";
}

interface Unusual {
  rated?: boolean;
  strict?: boolean;
  seeding?: string;
  policy?: { gone: string; only: string; errors: { limit: number; in_a_row: boolean } };
}

/** What is not as usual about a tour, for those who play in it. */
export function termsOf(plan: TourShown["plan"]): string[] {
  const { rated = true, strict = false, seeding = "joined", policy } = plan as Unusual;
  const { limit = 0, in_a_row: row = true } = policy?.errors ?? {};
  const often = row ? "illegal moves in a row lose" : "illegal moves lose";
  return [
    rated ? "" : "not rated",
    seeding === "joined" ? "" : `seeded by ${seeding}`,
    policy?.only ? `only ${policy.only} clients` : "",
    limit === 0 ? "" : limit === 1 ? "an illegal move loses" : `${limit} ${often}`,
    policy?.gone === "at_once" ? "who hangs up loses" : policy?.gone === "hold" ? "who is gone is waited for" : "",
    strict ? "who is out of a game is out of the tour" : "",
  ].filter(Boolean);
}

function variantFrom(values: Values, game: GameLine | undefined): string {
  const usual = Object.fromEntries((game?.options ?? []).map((one) => [one.name, String(one.default)]));
  return written(values.game ?? "", Object.keys(usual), values, usual);
}

/** `reversi size=6`: a name, and the options that are not as usual. */
function written(name: string, options: readonly string[], values: Values, usual: Values): string {
  const said = options
    .map((option) => ({ option, value: (values[`${name}.${option}`] ?? "").replace(/\s+/g, "") }))
    .filter(({ option, value }) => value !== "" && value !== usual[option])
    .map(({ option, value }) => `${option}=${value}`);
  return [name, ...said].join(" ");
}
