// The cross-table: what each got from each, in the order of the standing.

import type { MatchLine, TourShown } from "../../wire";
import { type Names, nameOf } from "./names";
import { type Leg, crossLegs, legSum } from "./score";

const MOST = 40; // entrants; a larger square is for the exports
const LEGS = 4; // in a cell; where two met more often, it is a sum

export function Cross({ shown, matches, names }: { shown: TourShown; matches: readonly MatchLine[]; names: Names }) {
  const order = shown.standing.map((row) => row.entrant);
  if (order.length > MOST) return <p class="empty">With {order.length} entrants the table is too large for a page; the Markdown file has it.</p>;
  const legs = crossLegs(matches);
  const over = shown.line.status === "ended" || shown.line.status === "cancelled";
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Cross-table">
        <table class="cross" aria-labelledby="cross">
          <thead>
            <tr>
              <th scope="col">Name</th>
              {order.map((entrant, i) => (
                <th key={entrant} scope="col" class="cell">
                  <abbr title={nameOf(names, entrant)}>{i + 1}</abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {order.map((one, i) => (
              <tr key={one}>
                <th scope="row">
                  <span class="faint">{i + 1}</span> {nameOf(names, one)}
                </th>
                {order.map((other) => (
                  <td key={other} class={one === other ? "cell self" : "cell"}>
                    {one === other ? "×" : <Legs legs={legs.get(`${one}:${other}`) ?? []} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="key">1 won, ½ drawn, 0 lost; + and − without a game; * is being played, · {over ? "was not played" : "is to come"}.</p>
    </>
  );
}

function Legs({ legs }: { legs: readonly Leg[] }) {
  if (legs.length > LEGS) return <>{legSum(legs)}</>;
  return (
    <>
      {legs.map((leg, i) =>
        leg.table === null ? (
          <span key={i}>{leg.text}</span>
        ) : (
          <a key={i} href={`/tables/${leg.table}`} title={`Table ${leg.table}`}>
            {leg.text}
          </a>
        ),
      )}
    </>
  );
}
