// How the ratings in a tour went: what the server says of its past, and what the standing has
// shown since. The past is asked for once, and anew after a void, when the line was down, and when
// the tour is over: its standing then has the ratings of today, and not of its last game.

import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../../api";
import { standing } from "../../line";
import type { MatchLine, TourShown } from "../../wire";

/** Everyone's rating after so many games that count. */
export interface RatingPoint {
  games: number;
  ratings: ReadonlyMap<number, number>;
}

interface Step {
  match: number;
  games: number;
  ratings: { entrant: number; rating: number }[];
}

const UNRATED = new Set(["bye", "absent", "withdrawn"]);

/** The points there are by now; null where the tour is not rated. */
export function useRatingHistory(shown: TourShown, matches: readonly MatchLine[]): readonly RatingPoint[] | null {
  const { tour, status } = shown.line;
  const counts = shown.plan.rated !== false && status !== "cancelled";
  const voided = matches.reduce((sum, match) => sum + match.voided, 0);
  const key = counts ? `${tour} ${standing.value} ${voided}` : "";
  const [past, setPast] = useState<{ key: string; points: RatingPoint[] } | null>(null);
  useEffect(() => {
    if (!key) return;
    let wanted = true;
    get<{ steps: Step[] }>(`/api/tours/${tour}/ratings`).then(
      ({ steps }) => wanted && setPast({ key, points: unfolded(steps) }),
      () => undefined, // the frame says that the server cannot be reached
    );
    return () => {
      wanted = false;
    };
  }, [key, status === "ended"]);
  const since = useSince(shown, matches, key);
  if (!counts) return null;
  return past ? joined(past.points, past.key === key ? since : []) : [];
}

/** What the standing has shown since this key held. */
function useSince(shown: TourShown, matches: readonly MatchLine[], key: string): readonly RatingPoint[] {
  const seen = useRef<{ key: string; points: RatingPoint[] }>({ key, points: [] });
  if (seen.current.key !== key) seen.current = { key, points: [] };
  const games = matches.filter(isRated).length;
  const rows = shown.standing.filter((row) => typeof row.rating === "number");
  // Once a tour is over its standing has the ratings of today, which later tours change.
  if (shown.line.status !== "ended" && rows.length > 0 && (seen.current.points.at(-1)?.games ?? -1) < games) {
    seen.current.points = [...seen.current.points, { games, ratings: new Map(rows.map((row) => [row.entrant, row.rating as number])) }];
  }
  return seen.current.points;
}

function isRated({ result }: MatchLine): boolean {
  return result !== null && !UNRATED.has(result.how) && result.places.includes(1);
}

/** A step tells only whom it changed; a point has everybody. */
function unfolded(steps: readonly Step[]): RatingPoint[] {
  let now = new Map<number, number>();
  return steps.map(({ games, ratings }) => {
    now = new Map(now);
    for (const { entrant, rating } of ratings) now.set(entrant, rating);
    return { games, ratings: now };
  });
}

function joined(past: readonly RatingPoint[], since: readonly RatingPoint[]): readonly RatingPoint[] {
  const last = past.at(-1)?.games ?? -1;
  return [...past, ...since.filter((point) => point.games > last)];
}
