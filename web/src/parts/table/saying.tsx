// One place for a sentence beside the board: who is gone and what follows, or else whatever is to be
// said. It is as high as its longest, so that nothing below it moves.

import type { ComponentChildren } from "preact";
import { now, useTicking } from "../../clock";
import { state } from "../../line";
import type { Table } from "../../tables";
import type { TableLine } from "../../wire";
import { variantOf } from "../../words";
import { hasBots, useServer } from "../server";
import { type Away, missing, sayAway } from "./away";

interface Props {
  table: Table;
  line: TableLine;
  away: Away;
  /** Whether what there is to say matters more than who is gone. */
  first?: boolean;
  children: ComponentChildren;
}

export function Saying({ table, line, away, first = false, children }: Props) {
  const gone = !first && state.value === "up" && missing(table, line, away).length > 0;
  return (
    <div class="saying">
      <p class={gone ? "saying-gone" : ""}>{gone ? <Gone table={table} line={line} away={away} /> : children}</p>
    </div>
  );
}

/** Counts down, second by second. */
function Gone({ table, line, away }: { table: Table; line: TableLine; away: Away }) {
  useTicking(true);
  const bots = hasBots(useServer(), variantOf(line.variant).game);
  return <>{sayAway(table, line, away, Math.max(now.value, ...[...away.values()].map((last) => last ?? 0)), bots)}</>;
}
