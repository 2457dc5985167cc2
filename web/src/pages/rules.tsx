// The rules of a game: a picture, a few sentences, and three positions to try them in.

import { useState } from "preact/hooks";
import { announce } from "../announce";
import { FIRST } from "../boards";
import { gameFor, useGames } from "../games";
import { Board } from "../parts/board";
import { GameIcon } from "../parts/lobby/icon";
import { Sorry, Title, useGet } from "../parts/page";
import type { SeatLine, Taught, TaughtPosition } from "../wire";
import { count, gameOf } from "../words";

export function RulesPage({ game }: { game: string }) {
  useGames();
  const { found, wrong } = useGet<Taught>(`/api/games/${game}/rules`);
  if (wrong) return <Sorry title="No such game" sentence={wrong} />;
  return (
    <div class="rules">
      <Title text={`Rules of ${gameOf(game).toLowerCase()}`} />
      <section class="rules-text" aria-label="Rules">
        <GameIcon game={game} />
        <div>
          {(found?.rules ?? []).map((words) => (
            <p key={words}>{words}</p>
          ))}
          <p>
            <a class="button main" href="/">
              Play it
            </a>{" "}
            {FIRST.includes(game) && <a href={`/docs/games/${game}`}>All the details</a>}
          </p>
        </div>
      </section>
      {found && <Lessons game={game} lessons={found.lessons} />}
    </div>
  );
}

function Lessons({ game, lessons }: { game: string; lessons: readonly TaughtPosition[] }) {
  const [at, setAt] = useState(0);
  const lesson = lessons[at];
  if (!lesson) return null;
  return (
    <section class="card rules-lessons" aria-labelledby="lessons-title">
      <h2 id="lessons-title">Try it: {count(lessons.length, "position")}</h2>
      <Playing key={`${game} ${at}`} lesson={lesson} number={at + 1} of={lessons.length} next={at + 1 < lessons.length ? () => setAt(at + 1) : null} />
      {at > 0 && (
        <button type="button" class="quiet" onClick={() => setAt(at - 1)}>
          The one before
        </button>
      )}
    </section>
  );
}

interface PlayingProps {
  lesson: TaughtPosition;
  number: number;
  of: number;
  next: (() => void) | null;
}

function Playing({ lesson, number, of, next }: PlayingProps) {
  const [played, setPlayed] = useState<string | null>(null);
  const [missed, setMissed] = useState(false);
  const seats = useSeats(lesson.variant);
  const solved = played !== null;
  const play = (move: string) => {
    const right = lesson.good.includes(move);
    if (right) setPlayed(move);
    setMissed(!right);
    announce(right ? lesson.why : "Not this one. Try another.");
    return Promise.resolve(right);
  };
  const view = (played !== null && lesson.after[played]) || lesson.view;
  return (
    <div class="rules-lesson">
      <div class="rules-board">
        <Board variant={lesson.variant} view={view} seat={lesson.seat} seats={seats} moves={solved ? [] : lesson.legal} play={play} />
      </div>
      <div>
        <p>
          <b>
            {number} of {of}.
          </b>{" "}
          {lesson.task}
        </p>
        <p role="status">{solved ? lesson.why : missed ? "Not this one. Try another." : ""}</p>
        <div class="acts-row">
          {solved && next && (
            <button type="button" class="main" onClick={next}>
              Next position
            </button>
          )}
          {solved && !next && (
            <a class="button main" href="/">
              Play a game
            </a>
          )}
          {!solved && (
            <button type="button" onClick={() => void play(lesson.good[0] ?? "")}>
              Show me
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Seats in which nobody sits. */
function useSeats(variant: string): SeatLine[] {
  const game = gameFor(variant);
  return (game?.seat_names.slice(0, game.seats[0] ?? 2) ?? []).map((name, seat) => ({ seat, name, player: null, player_name: "", connected: false }));
}
