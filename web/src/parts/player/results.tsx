// How a player did, in all and by opponent: as numbers, and as a bar of won, drawn and lost.

import { useEffect } from "preact/hooks";
import { count, gameOf } from "../../words";
import { WonDrawnLost } from "../heads";
import { Empty, useGet } from "../page";
import type { Results as Found } from "./shapes";

export function Results({ id, turn }: { id: number; turn: number }) {
  const { found, wrong, again } = useGet<Found>(`/api/players/${id}/results`);
  useEffect(again, [turn]);
  if (!found && wrong) return <p class="wrong">{wrong}</p>;
  if (!found) return <div class="results-coming" aria-busy="true" />;
  if (found.opponents.length === 0) return <Empty>Nothing is over yet.</Empty>;
  return (
    <>
      <p>
        {count(found.games, "game")}: {found.wins} won, {found.draws} drawn, {found.losses} lost.
        {found.more && <span class="faint"> Only the newest are counted.</span>}
        <Favourites games={found.favourites} />
      </p>
      <div class="scroll results-list" tabIndex={0} role="group" aria-label="Results by opponent">
        <table aria-labelledby="results">
          <thead>
            <tr>
              <th scope="col">Opponent</th>
              <WonDrawnLost />
              <td class="bar-head" />
            </tr>
          </thead>
          <tbody>
            {found.opponents.map((one) => (
              <tr key={one.player}>
                <th scope="row">
                  <a href={`/players/${one.player}`}>{one.name || `Player ${one.player}`}</a> {one.bot && <span class="badge">bot</span>}
                </th>
                <td class="number">{one.wins}</td>
                <td class="number">{one.draws}</td>
                <td class="number">{one.losses}</td>
                <td>
                  <Bar parts={[one.wins, one.draws, one.losses]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** What is played most, once that says something. */
function Favourites({ games }: { games: Found["favourites"] }) {
  if (games.length < 2) return null;
  return <span class="favourites"> Favourite games: {games.slice(0, 3).map(({ game, games: often }) => `${gameOf(game)} (${often})`).join(", ")}.</span>;
}

function Bar({ parts }: { parts: [number, number, number] }) {
  return (
    <span class="wdl" aria-hidden="true">
      {parts.map((many, i) => (many > 0 ? <span key={i} class={["wdl-won", "wdl-drawn", "wdl-lost"][i]} style={{ flexGrow: many }} /> : null))}
    </span>
  );
}
