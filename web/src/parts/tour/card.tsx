// A tour in a list of tours.

import type { TourLine } from "../../wire";
import { count, listOf, titleOf, whenOf } from "../../words";
import { formatTitle } from "./formats";
import { StatusBadge, tourName } from "./head";

export function TourCard({ line }: { line: TourLine }) {
  return (
    <li class="card tour-card">
      <div class="tour-card-head">
        <h3>
          <a href={`/tours/${line.tour}`}>{tourName(line)}</a>
        </h3>
        <StatusBadge status={line.status} />
      </div>
      <p>
        {titleOf(line.variant)} <span class="faint">·</span> {formatTitle(line.format)}
      </p>
      <p class="faint">
        {now(line)}
        {line.status === "open" && line.starts ? ` It begins at ${whenOf(line.starts)}.` : ""}
      </p>
    </li>
  );
}

function now(line: TourLine): string {
  const many = count(line.entrants, "entrant");
  switch (line.status) {
    case "open":
      return `${many} so far. ${line.coded ? "One joins with its code." : "Anyone may join."}`;
    case "ended":
      return line.winners?.length ? `${listOf(line.winners)} won, of ${many}.` : `Nobody won, of ${many}.`;
    case "cancelled":
      return "Called off.";
    default:
      return `${many}; ${line.played} of ${line.matches} matches played, ${line.running} running.`;
  }
}
