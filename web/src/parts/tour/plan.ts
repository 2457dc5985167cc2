// A tour's plan, from the fields of the form: what the server is asked to open.

import type { GameLine } from "../../wire";
import { formatOf } from "./formats";

/** The form's fields by name; those of a game or a format are called `reversi.size`. */
export type Values = Record<string, string>;

export const USUAL: Values = {
  game: "reversi",
  format: "round_robin",
  time: "5m",
  points: "1-0.5-0",
  codeKind: "drawn",
  late: "true",
  rated: "true",
};

interface Wish {
  plan: Record<string, unknown>;
  /** Left out, the server draws one; empty, none is needed. */
  code?: string;
}

export function wishOf(values: Values, game: GameLine | undefined): Wish {
  const format = formatOf(values.format ?? "");
  const usual = Object.fromEntries((game?.options ?? []).map((one) => [one.name, String(one.default)]));
  const plan: Record<string, unknown> = {
    variant: written(values.game ?? "", Object.keys(usual), values, usual),
    format: written(
      format.name,
      format.options.map((one) => one.name),
      values,
      {},
    ),
    name: (values.name ?? "").trim(),
    time: (values.time ?? "").trim(),
    points: values.points,
  };
  if (values.seats && game?.seats.includes(Number(values.seats))) plan.seats = Number(values.seats);
  for (const name of ["fair", "late", "rated", "strict", "stays"]) if (values[name] !== undefined) plan[name] = values[name] === "true";
  for (const name of ["parallel", "at_once"]) if (values[name]) plan[name] = Number(values[name]);
  if (values.absent) plan.absent = Math.round(Number(values.absent) * 60e6);
  if (values.codeKind === "drawn") return { plan };
  return { plan, code: values.codeKind === "own" ? (values.code ?? "") : "" };
}

/** `reversi size=6`: a name, and the options that are not as usual. */
function written(name: string, options: readonly string[], values: Values, usual: Values): string {
  const said = options
    .map((option) => ({ option, value: (values[`${name}.${option}`] ?? "").replace(/\s+/g, "") }))
    .filter(({ option, value }) => value !== "" && value !== usual[option])
    .map(({ option, value }) => `${option}=${value}`);
  return [name, ...said].join(" ");
}
