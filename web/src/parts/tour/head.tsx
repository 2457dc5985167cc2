// The head of a tour's page: what it is, where it is in its life, and who won.

import { useEffect, useRef } from "preact/hooks";
import { announce } from "../../announce";
import { now, useTicking } from "../../clock";
import type { TourLine, TourShown } from "../../wire";
import { clockOf, count, listOf, timeOf, titleOf } from "../../words";
import { Title } from "../page";
import { Countdown } from "./countdown";
import { STATUS, formatOf, formatTitle } from "./formats";
import { termsOf } from "./plan";
import type { LiveTour } from "./live";

export function tourName(line: TourLine): string {
  return line.name || `Tour ${line.tour}`;
}

/** Where a tour is in its life; green and with a dot while it runs. */
export function StatusBadge({ status }: { status: TourLine["status"] }) {
  const lives = status === "running" || status === "closing";
  return <span class={lives ? "badge badge-live" : "badge"}>{lives ? `● ${STATUS[status]}` : STATUS[status]}</span>;
}

export function Head({ tour, shown }: { tour: LiveTour; shown: TourShown }) {
  const { line, plan } = shown;
  const told = useRef(line.status);
  useEffect(() => {
    if (told.current !== line.status) announce(`${tourName(line)}: ${STATUS[line.status]}.`);
    told.current = line.status;
  }, [line.status]);
  return (
    <>
      <Title text={tourName(line)}>
        <StatusBadge status={line.status} />
      </Title>
      <p class="tour-what">
        {titleOf(line.variant)} <span class="faint">·</span> {formatTitle(line.format)} <span class="faint">·</span> {timeOf(String(plan.time ?? "5m"))}
        {termsOf(plan).map((term) => (
          <span key={term} class="faint">
            {" "}
            · {term}
          </span>
        ))}
      </p>
      <Winners line={line} />
      <Countdown shown={shown} />
      <Progress tour={tour} shown={shown} />
    </>
  );
}

function Winners({ line }: { line: TourLine }) {
  if (line.status === "cancelled") return <p class="tour-winners">The tour was called off, and counts for nothing.</p>;
  if (line.status !== "ended") return null;
  const winners = line.winners ?? [];
  if (winners.length === 0) return <p class="tour-winners">The tour is over. Nobody won it.</p>;
  return (
    <p class="tour-winners">
      <span aria-hidden="true">♛ </span>
      <strong>{listOf(winners)}</strong> {winners.length > 1 ? "share first place." : "won the tour."}
    </p>
  );
}

function Progress({ tour, shown }: { tour: LiveTour; shown: TourShown }) {
  const { line } = shown;
  const done = tour.matches.value.filter((match) => match.status === "over");
  const last = tour.matches.value.at(-1)?.round ?? 0;
  const format = formatOf(line.format);
  const rounds = format.rounds && last > 1 ? `, in ${count(last, "round")}` : "";
  const said =
    line.status === "open"
      ? `It has not begun. ${count(line.entrants, "entrant is", "entrants are")} in.`
      : `${line.played} of ${line.matches} matches played${rounds}${line.running > 0 ? `; ${line.running} running` : ""}.`;
  const bar = line.matches > 0 && format.name !== "arena";
  return (
    <div class="tour-progress">
      {bar && <progress value={Math.max(line.played, done.length)} max={line.matches} aria-label="Matches played" />}
      <p>
        {said} <Left tour={tour} shown={shown} />
      </p>
    </div>
  );
}

/** What is left of an arena's time; it stands still while the tour pauses. */
function Left({ tour, shown }: { tour: LiveTour; shown: TourShown }) {
  const runs = shown.line.status === "running";
  useTicking(runs && shown.left !== null);
  if (shown.left === null || !(runs || shown.line.status === "paused")) return null;
  const gone = runs ? Math.max(0, now.value - tour.taken.value) * 1000 : 0;
  const left = Math.max(0, shown.left - gone);
  return (
    <strong class="tour-left">
      New games begin for another <time>{clockOf(left)}</time>.
    </strong>
  );
}
