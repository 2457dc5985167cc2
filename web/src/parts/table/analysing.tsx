// The way into the analysis of a finished game, which is loaded when it is wanted; and hints.

import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { complain, tell } from "../../announce";
import { get } from "../../api";
import { gameFor } from "../../games";
import { token } from "../../me";
import type { Table } from "../../tables";
import type { Analysis as Found, TableLine } from "../../wire";
import { useBusy } from "../busy";
import type { Cursor } from "./cursor";
import { kitFor } from "./story";
import { addressOf, depthOf } from "./study";

interface Props {
  cursor: Cursor;
  line: TableLine;
}

export function Analysing(props: Props) {
  const [Shown, setShown] = useState<ComponentType<Props> | null>(null);
  const [busy, during] = useBusy();
  if (Shown) return <Shown {...props} />;
  return (
    <button type="button" class="analyse" aria-busy={busy} onClick={() => void during(import("./analysis")).then(({ Analysis }) => setShown(() => Analysis), complain)}>
      Analyse this game
    </button>
  );
}

/** Whether one may ask for a hint: where nobody else plays but bots, and nothing is hidden. */
export function mayHint(table: Table, line: TableLine): boolean {
  const others = line.seats.filter(({ seat }) => seat !== table.seat.value);
  return line.tour === null && others.every(({ bot }) => bot) && (gameFor(line.variant)?.hints ?? false);
}

export function Hint({ table, line }: { table: Table; line: TableLine }) {
  const [busy, during] = useBusy();
  const off = busy || !table.myTurn.value;
  const ask = () => {
    if (off) return;
    const kit = kitFor(line.variant);
    during(get<Found>(addressOf("analysis", table.id, 0), token.peek())).then((found) => {
      const best = found.choices[0];
      const view = table.view.peek();
      if (best) tell(`Try ${kit?.say(best.move, view) ?? best.move}: ${best.score} (${depthOf(found)}).`);
    }, complain);
  };
  return (
    <button type="button" aria-busy={busy} aria-disabled={off} onClick={ask}>
      Hint
    </button>
  );
}
