// What few want to choose about a tour, tucked away: points, tie-breaks, who plays when, and the
// manners of its tables.

import { dialects } from "../../dialects";
import type { GameLine } from "../../wire";
import { GONE, Manners, USUAL } from "../lobby/manners";
import { dialectsFrom, onlyFrom, type Values } from "./plan";
import { Ties } from "./ties";

/** The dialects in which one can take leave at a tour's end. */
function parting(): string {
  return dialects.value.flatMap(({ name, farewells }) => (farewells ? [name] : [])).join(" and ");
}

export interface Fields {
  values: Values;
  set: (name: string, value: string) => void;
}

export function More({ values, set, game }: Fields & { game: GameLine | undefined }) {
  const number = (name: string, text: string, initial: number, least: number, most: number) => (
    <label>
      {text}
      <input name={name} type="number" min={least} max={most} value={values[name] ?? String(initial)} onInput={(e) => set(name, e.currentTarget.value)} />
    </label>
  );
  const tick = (name: string, text: string, off = false) => <Tick name={name} text={text} on={values[name] === "true" && !off} off={off} set={set} />;
  return (
    <details>
      <summary>More options</summary>
      <div class="pair">
        <label>
          Points for win, draw, loss
          <input name="points" value={values.points} list="worths" onInput={(e) => set("points", e.currentTarget.value)} />
          <datalist id="worths">
            <option value="1-0.5-0" />
            <option value="3-1-0" />
            <option value="2-1-0" />
          </datalist>
        </label>
        {number("absent", "Minutes one may be away before one is paused", 5, 0, 10080)}
        {number("parallel", "Games at once (0: any number)", 0, 0, 1000)}
        {number("at_once", "Games at once for one player", 1, 1, 50)}
      </div>
      <Ties values={values} set={set} />
      <div class="ticks">
        {tick("fair", "Both legs of a pair begin alike")}
        {tick("late", "One may join late, where the format can do it")}
        {tick("rated", "Its games count for ratings")}
        {tick("stays", "It waits for you to end it when all is played")}
        {tick("strict", "Who is out of a game is out of the tour")}
        {tick("farewell", `… and so is who says no goodbye at its end, for which only ${parting()} have a word`, values.strict !== "true")}
      </div>
      <fieldset class="kept">
        <legend>At every table</legend>
        <Manners kept={{ ...USUAL, ...values, only: onlyFrom(values, game) }} choose={set} gone={GONE} who="Who may play" dialects={dialectsFrom(values, game)} />
      </fieldset>
    </details>
  );
}

interface TickProps {
  name: string;
  text: string;
  on: boolean;
  off?: boolean;
  set: Fields["set"];
}

export function Tick({ name, text, on, off = false, set }: TickProps) {
  return (
    <label class={off ? "tick tick-off" : "tick"}>
      <input type="checkbox" name={name} checked={on} disabled={off} onChange={(e) => set(name, String(e.currentTarget.checked))} />
      {text}
    </label>
  );
}
