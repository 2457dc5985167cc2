// Who is best at a game, by games that are of no tour.

import { useState } from "preact/hooks";
import { FIRST_GAME } from "../../boards";
import { useGames } from "../../games";
import { gameOf } from "../../words";
import { Empty, useGet } from "../page";

interface Row {
  name: string;
  player: number | null;
  rating: number;
  uncertainty: number;
  games: number;
}

export function Leaderboard() {
  const games = useGames() ?? [];
  const [game, setGame] = useState(FIRST_GAME);
  const { found, wrong } = useGet<{ rows: Row[] }>(`/api/leaderboards/${encodeURIComponent(game)}`);
  return (
    <section class="card" aria-labelledby="board-title">
      <div class="head-row">
        <h2 id="board-title">Leaderboard</h2>
        <label class="beside">
          Game
          <select name="board" value={game} onChange={(e) => setGame(e.currentTarget.value)}>
            {games.map(({ name }) => (
              <option key={name} value={name}>
                {gameOf(name)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {found && found.rows.length > 0 ? (
        <table aria-labelledby="board-title">
          <thead>
            <tr>
              <th scope="col" class="number">
                <abbr title="Place">#</abbr>
              </th>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Rating
              </th>
              <th scope="col" class="number">
                Games
              </th>
            </tr>
          </thead>
          <tbody>
            {found.rows.map((row, i) => (
              <tr key={`${row.name} ${i}`}>
                <td class="number">{i + 1}</td>
                <th scope="row" class="names">
                  {row.player ? <a href={`/players/${row.player}`}>{row.name}</a> : row.name}
                </th>
                <td class="number">
                  {Math.round(row.rating)} <span class="faint">± {Math.round(row.uncertainty)}</span>
                </td>
                <td class="number">{row.games}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Empty>{found ? "Nobody is listed yet. Five games between people, at tables that count, bring one here." : wrong || "Looking…"}</Empty>
      )}
    </section>
  );
}
