// The tours that can be joined, or are being played.

import type { TourLine } from "../../wire";
import { count, titleOf, variantOf } from "../../words";
import { Empty } from "../page";
import { GameIcon } from "./icon";

const STATUS: Record<string, string> = { open: "open to join", running: "running", paused: "paused", closing: "ends soon" };

const MOST = 8;

/** Those that are played first, then the newest. */
function byInterest(a: TourLine, b: TourLine): number {
  return Number(b.status === "running") - Number(a.status === "running") || b.tour - a.tour;
}

export function LobbyTours({ tours }: { tours: readonly TourLine[] | null }) {
  const shown = [...(tours ?? [])].sort(byInterest).slice(0, MOST);
  return (
    <section class="card" aria-labelledby="tours-title">
      <div class="head-row">
        <h2 id="tours-title">Tours</h2>
        <a href="/tours">All tours</a>
      </div>
      {shown.length > 0 ? (
        <ul class="rows">
          {shown.map((tour) => (
            <li key={tour.tour} class="row">
              <GameIcon game={variantOf(tour.variant).game} size={32} />
              <div class="row-text">
                <a href={`/tours/${tour.tour}`}>{tour.name || `Tour ${tour.tour}`}</a>
                <span class="faint">
                  {titleOf(tour.variant)} · {count(tour.entrants, "entrant")}
                  {tour.matches > 0 && ` · ${tour.played} of ${count(tour.matches, "match", "matches")} played`}
                </span>
              </div>
              <span class={tour.status === "running" ? "badge badge-live" : "badge"}>{STATUS[tour.status] ?? tour.status}</span>
            </li>
          ))}
        </ul>
      ) : (
        <Empty>
          {tours ? (
            <>
              No tournament is on. <a href="/tours">Open one</a> for your class or your friends; they join with its code.
            </>
          ) : (
            "Looking around…"
          )}
        </Empty>
      )}
    </section>
  );
}
