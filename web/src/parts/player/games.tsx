// A player's games, the newest first, a page at a time.

import { useEffect, useState } from "preact/hooks";
import { get } from "../../api";
import { capital, listOf, titleOf, whenOf } from "../../words";
import { Empty } from "../page";
import type { GamePage, Met, PlayedGame } from "./shapes";

const PAGE = 20;
const CAME: Record<string, string> = { win: "won", draw: "drawn", loss: "lost", none: "nobody won" };

export function Games({ id }: { id: number }) {
  const [games, setGames] = useState<PlayedGame[] | null>(null);
  const [next, setNext] = useState<number | null>(0);
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const load = (after: number) => {
    setBusy(true);
    get<GamePage>(`/api/players/${id}/games?after=${after}&limit=${PAGE}`)
      .then(
        (page) => {
          setGames((old) => [...(after === 0 ? [] : (old ?? [])), ...page.games]);
          setNext(page.next);
          setWrong("");
        },
        (why: Error) => setWrong(why.message),
      )
      .finally(() => setBusy(false));
  };
  useEffect(() => load(0), [id]);
  if (games === null) return wrong ? <p class="wrong">{wrong}</p> : <div class="games-coming" aria-busy="true" />;
  if (games.length === 0) return <Empty>No games yet. They appear here as soon as they begin.</Empty>;
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Games">
        <table class="games">
          <thead>
            <tr>
              <th scope="col">Game</th>
              <th scope="col">Against</th>
              <th scope="col">Result</th>
              <th scope="col" class="wide">
                As
              </th>
              <th scope="col" class="wide">
                When
              </th>
            </tr>
          </thead>
          <tbody>
            {games.map((game) => (
              <Row key={game.table} game={game} />
            ))}
          </tbody>
        </table>
      </div>
      {wrong && <p class="wrong">{wrong}</p>}
      {next !== null && (
        <p class="more">
          <button type="button" disabled={busy} onClick={() => load(next)}>
            Show older games
          </button>
        </p>
      )}
    </>
  );
}

function Row({ game }: { game: PlayedGame }) {
  return (
    <tr>
      <th scope="row">
        <a href={`/tables/${game.table}`}>{titleOf(game.variant)}</a>
        {game.tour !== null && (
          <>
            {" "}
            <a class="badge" href={`/tours/${game.tour}`}>
              tour {game.tour}
            </a>
          </>
        )}
      </th>
      <td>
        <Others some={game.opponents} />
        {game.partners.length > 0 && <span class="faint"> with {listOf(game.partners.map(called))}</span>}
      </td>
      <td>{game.status === "playing" ? <span class="badge badge-live">● playing</span> : <Came game={game} />}</td>
      <td class="wide">{game.seat_name}</td>
      <td class="wide faint">{whenOf(game.ended_at ?? game.opened_at)}</td>
    </tr>
  );
}

function Came({ game }: { game: PlayedGame }) {
  return (
    <span class={`came came-${game.result || "none"}`} title={game.outcome?.reason}>
      {capital(CAME[game.result] ?? "over")}
      {game.taken_over && <span class="faint"> (somebody played on)</span>}
    </span>
  );
}

function Others({ some }: { some: readonly Met[] }) {
  return (
    <>
      {some.map((one, i) => (
        <span key={one.seat}>
          {i > 0 && ", "}
          {one.player === null ? called(one) : <a href={`/players/${one.player}`}>{called(one)}</a>}
        </span>
      ))}
    </>
  );
}

function called(one: Met): string {
  return one.name || one.seat_name;
}
