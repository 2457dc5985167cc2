// How a game came out, and what next: a rematch, the tour, or the lobby.

import { computed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Table } from "../../tables";
import type { TableLine } from "../../wire";
import { calledOf, capital, listOf, outcomeOf, whoOf, withNames } from "../../words";
import { isLost, useFocusKept } from "../focus";
import { Act } from "./act";
import { TourLink } from "../tour/tour-link";
import { lastOf, playsOn, teamOf, whyOut } from "./story";

interface Props {
  table: Table;
  line: TableLine;
}

export function Result({ table, line }: Props) {
  const outcome = line.outcome;
  const title = useRef<HTMLHeadingElement>(null);
  const place = useFocusKept<HTMLElement>();
  const over = line.status === "over";
  const ran = useRef(!over); // whether one saw it end
  useEffect(() => {
    // Who resigned, or agreed on a draw, did so with a button that is gone now.
    if (over && ran.current && isLost()) title.current?.focus({ preventScroll: true });
  }, [over]);
  if (line.status !== "over" || !outcome) return null;
  return (
    <section ref={place} class="card result" aria-labelledby="result-title">
      <h2 id="result-title" ref={title} tabIndex={-1} data-rest>{outcomeOf(line)}</h2>
      <p>{withNames(outcome.reason, line.seats)}</p>
      {isRanked(line) && <Places line={line} out={playsOn(line.variant) ? whyOut(table.moments.value) : NOBODY} />}
      {line.tour === null ? (
        <Rematch table={table} line={line} />
      ) : (
        <p>
          A match of <TourLink tour={line.tour} />.
        </p>
      )}
    </section>
  );
}

/** Whether more than two came in for themselves: who won says nothing of the rest then. */
function isRanked({ variant, seats }: TableLine): boolean {
  return new Set(seats.map(({ seat }) => teamOf(variant, seat))).size > 2;
}

const NOBODY: ReadonlyMap<number, string> = new Map();

/** Who came where; who was out before the end has no place. */
function Places({ line, out }: { line: TableLine; out: ReadonlyMap<number, string> }) {
  const { places = [], scores = null } = line.outcome ?? {};
  const order = [...line.seats].sort((a, b) => (places[a.seat] ?? 9) - (places[b.seat] ?? 9));
  return (
    <table class="places">
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">Player</th>
          {scores && (
            <th scope="col" class="number">
              Score
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {order.map((seat) => (
          <tr key={seat.seat}>
            <td>{out.has(seat.seat) ? "out" : places[seat.seat]}</td>
            <td>
              {whoOf(seat)} <span class="faint">{[capital(calledOf(seat.name)), out.get(seat.seat)].filter(Boolean).join(", ")}</span>
            </td>
            {scores && <td class="number">{scores[seat.seat]}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Rematch({ table, line }: Props) {
  const wishes = useMemo(
    () => computed(() => new Set(table.moments.value.flatMap(({ event }) => (event.type === "rematch_wished" ? [event.seat] : [])))),
    [table],
  ).value;
  const next = lastOf(table.moments.value, "rematched");
  if (next) {
    return (
      <p>
        It goes on at <a href={`/tables/${next.table}`}>table {next.table}</a>.
      </p>
    );
  }
  const seat = table.seat.value;
  const others = line.seats.filter((one) => wishes.has(one.seat) && one.seat !== seat).map(whoOf);
  const room = lastOf(table.moments.value, "opened")?.room;
  return (
    <>
      {others.length > 0 && (
        <p>
          <b>{listOf(others)}</b> would play again.
        </p>
      )}
      <div class="acts-row">
        {seat !== null && !room && !wishes.has(seat) && <Act table={table} type="rematch" text="Rematch" main />}
        {seat !== null && wishes.has(seat) && <p class="acts-note">You would play again; waiting for the others.</p>}
        <a class="button" href="/">
          To the lobby
        </a>
      </div>
    </>
  );
}
