// Two charts of a tour: points by round, and ratings from game to game. Of many entrants the
// best are drawn.

import { useMemo } from "preact/hooks";
import type { MatchLine, TourShown } from "../../wire";
import { count } from "../../words";
import { Chart, type Series } from "../chart";
import { type RatingPoint, useRatingHistory } from "./rating-history";
import { formatOf } from "./formats";
import { type Names, nameOf } from "./names";

const DRAWN = 6; // entrants; more lines nobody tells apart

interface Props {
  shown: TourShown;
  matches: readonly MatchLine[];
  names: Names;
}

export function Charts({ shown, matches, names }: Props) {
  // In the order of joining: who overtakes whom keeps the colour.
  const best = shown.standing.slice(0, DRAWN).map((row) => row.entrant).sort((a, b) => a - b);
  const key = best.join(",");
  const points = useMemo(() => pointsOf(shown, matches, best, names), [matches, key]);
  const course = useRatingHistory(shown, matches);
  const ratings = useMemo(() => (course ? ratingsOf(course, best, names) : null), [course?.length, course?.[0], course?.at(-1), key]);
  const more = shown.standing.length > DRAWN ? `, the first ${DRAWN}` : "";
  return (
    <>
      <div class="card">
        <Chart title={`Points${more}`} kind="lines" unit="points" along={points.along} x={points.x} series={points.series} />
      </div>
      {ratings && (
        <div class="card">
          <Chart title={`Ratings${more}`} kind="lines" unit="rating" along={ratings.along} x={ratings.x} series={ratings.series} labels={ratings.labels} />
        </div>
      )}
    </>
  );
}

interface Lines {
  along: string;
  x: number[];
  series: Series[];
}

/** Points added up by round; where there are no rounds, by match as each came out. */
function pointsOf(shown: TourShown, matches: readonly MatchLine[], best: readonly number[], names: Names): Lines {
  const rounds = formatOf(shown.line.format).rounds;
  const over = matches.filter((match) => match.result);
  const steps = rounds ? over.reduce((most, match) => Math.max(most, match.round), 0) : over.length;
  const gains = best.map(() => new Array<number>(steps + 1).fill(0));
  for (const [i, match] of over.entries()) {
    const step = rounds ? match.round : i + 1;
    for (const [side, entrant] of match.sides.entries()) {
      const row = gains[best.indexOf(entrant)];
      if (row) row[step] = (row[step] ?? 0) + (match.points[side] ?? 0);
    }
  }
  return {
    along: rounds ? "Round" : "Match",
    x: steps > 0 ? Array.from({ length: steps + 1 }, (_, i) => i) : [],
    series: steps > 0 ? best.map((entrant, i) => ({ name: nameOf(names, entrant), values: summed(gains[i] ?? []) })) : [],
  };
}

function summed(gains: readonly number[]): number[] {
  let sum = 0;
  return gains.map((gain) => (sum += gain));
}

/** Ratings by game that counts, in the order they ended. */
function ratingsOf(course: readonly RatingPoint[], best: readonly number[], names: Names): Lines & { labels: string[] } {
  const drawn = course.length > 1 ? course : [];
  return {
    along: "After",
    x: drawn.map((point) => point.games),
    labels: drawn.map((point) => count(point.games, "game")),
    series: drawn.length > 0 ? best.map((entrant) => ({ name: nameOf(names, entrant), values: drawn.map((point) => rounded(point.ratings.get(entrant))) })) : [],
  };
}

function rounded(rating: number | undefined): number | null {
  return rating === undefined ? null : Math.round(rating);
}
