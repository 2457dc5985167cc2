// Says that I sit at this table, but play in another tab; and lets me play here instead.

import * as me from "../../me";
import type { TableLine } from "../../wire";
import { Press } from "../busy";

export function Elsewhere({ line }: { line: TableLine }) {
  const sits = line.seats.some((seat) => seat.player !== null && seat.player === me.number.value);
  if (!me.elsewhere.value || !sits || line.status === "over") return null;
  return (
    <section class="card acts" aria-label="Another tab">
      <p>You play this game in another tab; here you only look on.</p>
      <div class="acts-row">
        <Press main text="Play here" act={me.playHere} />
      </div>
    </section>
  );
}
