// Players: who is connected and by which dialect, and who is how strong in which game.

import { spokenOf } from "../dialects";
import { FIRST_GAME } from "../boards";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { get } from "../api";
import { useGames } from "../games";
import { state } from "../line";
import { Leaderboard } from "../parts/player/leaderboard";
import { type Rated, Strongest } from "../parts/player/strongest";
import { Empty, Title, useEvery, useGet } from "../parts/page";
import { go, query } from "../route";
import type { PlayerLine } from "../wire";
import { gameOf, count } from "../words";

export function PlayersPage() {
  // On a phone the ratings stand below whoever is here, and would be pushed away when they come.
  const [came, setCame] = useState(false);
  return (
    <>
      <Title text="Players" />
      <div class="players">
        <Connected came={() => setCame(true)} />
        {came && <Leaderboard />}
        {came && <Ratings />}
      </div>
    </>
  );
}

function Connected({ came }: { came: () => void }) {
  const { found, wrong, again } = useGet<{ players: PlayerLine[]; next: number | null }>(
    state.value === "dialling" ? null : "/api/players?limit=200", // before the line stands, I am not here myself
  );
  useEvery(5000, again);
  const there = found !== null || wrong !== "";
  useLayoutEffect(() => {
    if (there) came();
  }, [there]);
  const players = [...(found?.players ?? [])].sort((a, b) => Number(a.dialect === "bot") - Number(b.dialect === "bot") || a.player - b.player);
  return (
    <section class="card" aria-labelledby="here-title">
      <div class="head-row">
        <h2 id="here-title">Here now</h2>
        {found && players.length > 0 && <span class="faint">{count(players.length, "player") + (found.next === null ? "" : ", and more")}</span>}
      </div>
      {players.length > 0 ? (
        <table aria-labelledby="here-title">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Comes by</th>
            </tr>
          </thead>
          <tbody>
            {players.map((player) => (
              <tr key={player.player}>
                <th scope="row" class="names">
                  <a href={`/players/${player.player}`}>{player.name || `Player ${player.player}`}</a>
                </th>
                <td>
                  {spokenOf(player.dialect) ? <span class="badge">{spokenOf(player.dialect)}</span> : <span class="faint">this page</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Empty>
          {found ? (
            <>
              Nobody is here. Choose a name and play in the <a href="/">lobby</a>, or <a href="/connect">connect a program</a>.
            </>
          ) : (
            wrong || "Looking…"
          )}
        </Empty>
      )}
      {there && (
        <p class="hint-text after">
          By this page, as a <b>bot</b> of the house, or by a program, which speaks a language of its own: <a href="/connect">all of them</a>. A program may speak as this page does, too.
        </p>
      )}
    </section>
  );
}

/** The first of these games in which somebody has a rating; the first of all where nobody has. */
function useRated(games: readonly string[]): string {
  const [rated, setRated] = useState(FIRST_GAME);
  const key = games.join(" ");
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      for (const game of [FIRST_GAME, ...games]) {
        const { ratings } = await get<{ ratings: Rated[] }>(`/api/ratings/${game}`);
        if (ratings.length === 0) continue;
        if (wanted) setRated(game);
        return;
      }
    };
    if (games.length > 0 && !query.value.has("game")) look().catch(() => undefined); // the list itself says what is wrong
    return () => {
      wanted = false;
    };
  }, [key]);
  return rated;
}

function Ratings() {
  const games = useGames() ?? [];
  const rated = useRated(games.map(({ name }) => name));
  const game = query.value.get("game") ?? rated;
  const { found, wrong } = useGet<{ ratings: Rated[] }>(`/api/ratings/${encodeURIComponent(game)}`);
  const nobody = (
    <>
      Nobody has a rating in {gameOf(game).toLowerCase()} yet. Ratings come from <a href="/tours">tours</a> that are over.
    </>
  );
  return (
    <Strongest
      title="Ratings in tours"
      id="ratings-title"
      field="game"
      game={game}
      choose={(wanted) => go(`/players?game=${encodeURIComponent(wanted)}`, true)}
      rows={found?.ratings}
      empty={found ? nobody : wrong || "Looking…"}
    />
  );
}
