// The mark of an entrant that does not play, in the standing.

import { OUT } from "./entrants";
import type { Row } from "./live";

const PAUSED = "Away for too long: its matches wait, and are lost when nothing else is left to play.";

/** Why an entrant does not play: out of the tour, paused, or away for a moment. */
export function Mark({ row, away }: { row: Row; away: boolean }) {
  if (row.out) return <span class="badge">{OUT[row.out] ?? row.out}</span>;
  if (row.paused) {
    return (
      <span class="badge" title={PAUSED}>
        paused
      </span>
    );
  }
  return away ? <span class="badge">away</span> : null;
}
