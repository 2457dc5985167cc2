// Two charts of a tour: points by round, and ratings. Of many entrants the best are drawn.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../api";
import type { MatchLine, TourShown } from "../../wire";
import { variantOf } from "../../words";
import { Chart, type Series } from "../chart";
import type { PlayerRatings } from "../player/shapes";
import { formatOf } from "./formats";
import { type Names, nameOf } from "./names";

const NEWCOMER = 1500; // the rating everybody begins with
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
  const ratings = useRatings(shown, best, names);
  const more = shown.standing.length > DRAWN ? `, the first ${DRAWN}` : "";
  return (
    <>
      <div class="card">
        <Chart title={`Points${more}`} kind="lines" unit="points" along={points.along} x={points.x} series={points.series} />
      </div>
      {ratings && (
        <div class="card">
          <Chart title={`Ratings${more}`} kind="lines" unit="rating" along="Matches" x={ratings.x} series={ratings.series} labels={ratings.labels} />
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
  const steps = rounds ? Math.max(0, ...over.map((match) => match.round)) : over.length;
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

interface Seen {
  played: number;
  ratings: Map<number, number>;
}

/** Ratings as everyone came, and as they were seen since while the page is open. */
function useRatings(shown: TourShown, best: readonly number[], names: Names): (Lines & { labels: string[] }) | null {
  const seen = useRef<Seen[]>([]);
  const rated = shown.standing.filter((row) => typeof row.rating === "number");
  if (rated.length > 0 && seen.current.at(-1)?.played !== shown.line.played) {
    seen.current = [...seen.current, { played: shown.line.played, ratings: new Map(rated.map((row) => [row.entrant, row.rating as number])) }];
  }
  const first = useFirst(shown, rated.length > 0 ? best : []);
  const key = `${best.join(",")}:${seen.current.length}`;
  return useMemo(() => {
    const all = seen.current[0]?.played === 0 ? seen.current : [{ played: 0, ratings: first }, ...seen.current];
    if (seen.current.length === 0) return null;
    if (all.length === 1) return { along: "Matches", x: [], labels: [], series: [] };
    return {
      along: "Matches",
      x: all.map((one) => one.played),
      labels: all.map((one) => `${one.played} played`),
      series: best.map((entrant) => ({ name: nameOf(names, entrant), values: all.map((one) => one.ratings.get(entrant) ?? null) })),
    };
  }, [key, first]);
}

/** The rating each of these brought along, by entrant; teams have none of their own. */
function useFirst(shown: TourShown, best: readonly number[]): Map<number, number> {
  const [first, setFirst] = useState(new Map<number, number>());
  const { tour, variant, played } = shown.line;
  const alone = shown.entrants.filter((one) => best.includes(one.entrant) && one.players.length === 1);
  const missing = played > 0 ? alone.filter((one) => !first.has(one.entrant)) : [];
  const key = missing.map((one) => one.entrant).join(",");
  useEffect(() => {
    for (const one of missing) {
      void broughtBy(one.players[0]?.player ?? 0, variantOf(variant).game, tour).then((rating) => setFirst((old) => new Map(old).set(one.entrant, rating)));
    }
  }, [key]);
  return first;
}

/** A player's rating before this tour; a newcomer's where it had none. */
async function broughtBy(player: number, game: string, tour: number): Promise<number> {
  const found = await get<PlayerRatings>(`/api/players/${player}/ratings`).catch(() => null);
  const history = found?.games.find((one) => one.game === game)?.history ?? [];
  const at = history.findIndex((one) => one.tour === tour);
  const before = at < 0 ? history : history.slice(0, at);
  return before.at(-1)?.rating ?? NEWCOMER;
}
