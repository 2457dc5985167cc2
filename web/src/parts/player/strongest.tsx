// A list of the strongest at a game, with the games to choose from: whatever they are rated by.

import type { ComponentChildren } from "preact";
import { useGames } from "../../games";
import { gameOf } from "../../words";
import { Empty } from "../page";

export interface Rated {
  name: string;
  rating: number;
  uncertainty: number;
  games: number;
  player: number | null;
}

interface Wanted {
  title: string;
  id: string; // of the title
  field: string; // the name of the choice of games
  game: string;
  choose: (game: string) => void;
  rows: readonly Rated[] | undefined; // undefined until they have come
  empty: ComponentChildren; // what is said instead of a list
}

export function Strongest({ title, id, field, game, choose, rows, empty }: Wanted) {
  const games = useGames() ?? [];
  return (
    <section class="card" aria-labelledby={id}>
      <div class="head-row">
        <h2 id={id}>{title}</h2>
        <label class="beside">
          Game
          <select name={field} value={game} onChange={(e) => choose(e.currentTarget.value)}>
            {games.map(({ name }) => (
              <option key={name} value={name}>
                {gameOf(name)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {rows && rows.length > 0 ? (
        <table aria-labelledby={id}>
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
            {rows.map((row, i) => (
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
        <Empty>{empty}</Empty>
      )}
    </section>
  );
}
