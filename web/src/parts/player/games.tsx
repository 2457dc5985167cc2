// A player's games, the newest first, a page at a time; new ones appear by themselves.

import { useRef, useState } from "preact/hooks";
import { get } from "../../api";
import { capital, listOf, titleOf, whenOf } from "../../words";
import { Empty, useEvery } from "../page";
import { TourLink } from "../tour/tour-link";
import type { GamePage, Met, PlayedGame } from "./shapes";

const PAGE = 20;
const EVERY = 5000; // milliseconds between two looks at the newest
const CAME: Record<string, string> = { win: "won", draw: "drawn", loss: "lost", none: "nobody won" };

/** `ended` is called when a game came out since the last look. */
export function Games({ id, ended }: { id: number; ended: () => void }) {
  const [games, setGames] = useState<readonly PlayedGame[] | null>(null);
  const [next, setNext] = useState<number | null>(0);
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const known = useRef<readonly PlayedGame[]>([]);
  const show = (some: readonly PlayedGame[]) => setGames((known.current = some));
  const load = async (after: number) => {
    const page = await get<GamePage>(`/api/players/${id}/games?after=${after}&limit=${PAGE}`);
    setWrong("");
    return page;
  };
  const looked = ({ games: newest, next: rest }: GamePage) => {
    const old = known.current;
    const kept = old.filter((game) => game.table < (newest.at(-1)?.table ?? 0));
    // Where more came than a page has, what is between is asked for like anything older.
    const whole = newest.some((game) => game.table === old[0]?.table);
    if (overOf(newest) !== overOf(old.slice(0, newest.length))) ended();
    if (!whole) setNext(rest);
    show(whole ? [...newest, ...kept] : newest);
  };
  useEvery(EVERY, () => void load(0).then(looked, (why: Error) => setWrong(why.message)));
  const older = (after: number) => {
    setBusy(true);
    load(after)
      .then(
        (page) => {
          show([...known.current, ...page.games]);
          setNext(page.next);
        },
        (why: Error) => setWrong(why.message),
      )
      .finally(() => setBusy(false));
  };
  if (games === null) return wrong ? <p class="wrong">{wrong}</p> : <div class="games-coming" aria-busy="true" />;
  if (games.length === 0) return <Empty>No games yet. They appear here as soon as they begin.</Empty>;
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Games">
        <table class="games" aria-labelledby="games">
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
          <button type="button" disabled={busy} onClick={() => older(next)}>
            Show older games
          </button>
        </p>
      )}
    </>
  );
}

function overOf(games: readonly PlayedGame[]): string {
  return games.filter((game) => game.status === "over").map((game) => game.table).join(",");
}

function Row({ game }: { game: PlayedGame }) {
  return (
    <tr>
      <th scope="row">
        <a href={`/tables/${game.table}`}>{titleOf(game.variant)}</a>
        {game.tour !== null && (
          <>
            {" "}
            <TourLink tour={game.tour} badge />
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
    <>
      <span class={`came came-${game.result || "none"}`}>{capital(CAME[game.result] ?? "over")}</span>
      {game.taken_over && <span class="faint"> (somebody played on)</span>}
      {game.outcome && <span class="came-why">{game.outcome.reason}</span>}
    </>
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
