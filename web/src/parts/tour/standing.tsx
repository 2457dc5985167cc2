// The standing: who is where, and by what.

import type { TourShown } from "../../wire";
import { WonDrawnLost } from "../heads";
import { DEFAULT_TIES, TIES } from "./formats";
import type { Row } from "./live";
import { Mark } from "./mark";
import { Name, type Names } from "./names";
import { halves } from "./score";

/** Who is in it and not all connected; nobody once it is over. */
function awayFrom(shown: TourShown): ReadonlySet<number> {
  if (shown.line.status === "ended" || shown.line.status === "cancelled") return new Set();
  return new Set(shown.entrants.filter((one) => !one.out && !one.players.every((player) => player.connected)).map((one) => one.entrant));
}

const LONG = 24; // rows; more scroll in a frame of their own

export function Standing({ shown, names }: { shown: TourShown; names: Names }) {
  const ties = (shown.plan.ties as string[] | undefined) ?? DEFAULT_TIES;
  // Wins have a column of their own.
  const told = ties.map((name, index) => ({ name, index })).filter(({ name }) => name !== "wins");
  const away = awayFrom(shown);
  const rated = shown.standing.some((row) => row.rating !== null && row.rating !== undefined);
  return (
    <div class={shown.standing.length > LONG ? "scroll standing-long" : "scroll"} tabIndex={0} role="group" aria-label="Standing">
      <table class="standing" aria-labelledby="standing">
        <thead>
          <tr>
            <th scope="col" class="number">
              <abbr title="Place">#</abbr>
            </th>
            <th scope="col">Name</th>
            <th scope="col" class="number">
              Points
            </th>
            <WonDrawnLost />
            {told.map(({ name }) => (
              <th key={name} scope="col" class="number tie">
                <abbr title={TIES[name]?.[1] ?? name}>{TIES[name]?.[0] ?? name}</abbr>
              </th>
            ))}
            {rated && (
              <th scope="col" class="number">
                Rating
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {(shown.standing as Row[]).map((row) => (
            <tr key={row.entrant} class={row.out ? "is-out" : ""}>
              <td class="number">{row.place}</td>
              <th scope="row">
                <Name names={names} entrant={row.entrant} />
                <Mark row={row} away={away.has(row.entrant)} />
              </th>
              <td class="number points">{halves(row.points)}</td>
              <td class="number">{row.wins}</td>
              <td class="number">{row.draws}</td>
              <td class="number">{row.losses}</td>
              {told.map(({ name, index }) => (
                <td key={name} class="number tie">
                  {halves(row.ties[index] ?? 0)}
                </td>
              ))}
              {rated && (
                <td class="number">
                  {row.rating === null || row.rating === undefined ? "–" : Math.round(row.rating)}
                  {row.uncertainty ? <span class="faint spread"> ±{Math.round(row.uncertainty)}</span> : null}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
