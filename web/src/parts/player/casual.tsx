// How strong a player is in games that are of no tour, and how that came about game by game.

import { useEffect, useMemo, useState } from "preact/hooks";
import { count, gameOf, whenOf } from "../../words";
import { Chart } from "../chart";
import { Empty, useGet } from "../page";
import type { CasualStep, PlayerRatings } from "./shapes";

export function Casual({ id, turn }: { id: number; turn: number }) {
  const { found, wrong, again } = useGet<PlayerRatings>(`/api/players/${id}/ratings`);
  useEffect(again, [turn]);
  const [chosen, setChosen] = useState("");
  if (!found && wrong) return <p class="wrong">{wrong}</p>;
  if (!found) return <div class="ratings-coming" aria-busy="true" />;
  const game = found.casual.find((one) => one.game === chosen) ?? found.casual[0];
  if (!game) return <Empty>No rating yet. Games between people count, unless their table was opened unrated.</Empty>;
  return (
    <>
      {found.casual.length > 1 && (
        <label class="rating-game">
          Game
          <select value={game.game} onChange={(e) => setChosen(e.currentTarget.value)}>
            {found.casual.map((one) => (
              <option key={one.game} value={one.game}>
                {gameOf(one.game)}
              </option>
            ))}
          </select>
        </label>
      )}
      <Course game={game.game} history={game.history} />
    </>
  );
}

function Course({ game, history }: { game: string; history: readonly CasualStep[] }) {
  const last = history.at(-1);
  const { x, labels, series } = useMemo(
    () => ({
      x: history.map((one) => one.games),
      labels: history.map((one) => `${one.games}, table ${one.table}, ${whenOf(one.at)}`),
      series: [{ name: gameOf(game), values: history.map((one) => Math.round(one.rating)) }],
    }),
    [game, history],
  );
  if (!last) return null;
  return (
    <>
      <p class="rating-now">
        <strong>{Math.round(last.rating)}</strong> <span class="faint">± {Math.round(last.uncertainty)}</span> in {gameOf(game)}, after {count(last.games, "rated game")}
      </p>
      {history.length > 1 && <Chart title={`Rating in ${gameOf(game)}, game by game`} kind="lines" unit="rating" along="Game" x={x} labels={labels} series={series} />}
      <p class="rating-tours">
        <span class="faint">Last rated at</span> <a href={`/tables/${last.table}`}>table {last.table}</a>
      </p>
    </>
  );
}
