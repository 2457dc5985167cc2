// How strong a player is, game by game, and how that came about tour by tour.

import { useEffect, useMemo, useState } from "preact/hooks";
import { gameOf, count, whenOf } from "../../words";
import { Chart } from "../chart";
import { Empty, useEvery, useGet } from "../page";
import type { PlayerRatings, RatedBy } from "./shapes";

const EVERY = 15_000; // milliseconds between two looks
const NEWCOMER = 1500; // the rating everybody begins with

export function Ratings({ id, turn }: { id: number; turn: number }) {
  const { found, wrong, again } = useGet<PlayerRatings>(`/api/players/${id}/ratings`);
  useEffect(again, [turn]);
  useEvery(EVERY, again); // a tour may end long after this player's last game in it
  const [chosen, setChosen] = useState("");
  if (!found && wrong) return <p class="wrong">{wrong}</p>;
  if (!found) return <div class="ratings-coming" aria-busy="true" />;
  const game = found.games.find((one) => one.game === chosen) ?? found.games[0];
  if (!game) {
    return (
      <Empty>
        No rating yet. Games count when they are of a tour, once it is over: <a href="/tours">look for one</a>.
      </Empty>
    );
  }
  return (
    <>
      {found.games.length > 1 && (
        <label class="rating-game">
          Game
          <select value={game.game} onChange={(e) => setChosen(e.currentTarget.value)}>
            {found.games.map((one) => (
              <option key={one.game} value={one.game}>
                {gameOf(one.game)}
              </option>
            ))}
          </select>
        </label>
      )}
      <History game={game.game} history={game.history} />
    </>
  );
}

function History({ game, history }: { game: string; history: readonly RatedBy[] }) {
  const last = history.at(-1);
  const { x, labels, series } = useMemo(
    () => ({
      x: [0, ...history.map((_, i) => i + 1)],
      labels: ["0, before any", ...history.map((one, i) => `${i + 1}, ${one.name || `tour ${one.tour}`}, ${whenOf(one.at)}`)],
      series: [{ name: gameOf(game), values: [NEWCOMER, ...history.map((one) => Math.round(one.rating))] }],
    }),
    [game, history],
  );
  if (!last) return null;
  return (
    <>
      <p class="rating-now">
        <strong>{Math.round(last.rating)}</strong> <span class="faint">± {Math.round(last.uncertainty)}</span> in {gameOf(game)}, after {count(last.games, "rated game")}
      </p>
      <Chart title={`Rating in ${gameOf(game)}, tour by tour`} kind="lines" unit="rating" along="Tour" x={x} labels={labels} series={series} />
      <p class="rating-tours">
        <span class="faint">Last rated in</span> <a href={`/tours/${last.tour}`}>{last.name || `tour ${last.tour}`}</a>
      </p>
    </>
  );
}
