// A player: who it is, how strong, what it has played, and against whom it did how.

import { spokenOf } from "../dialects";
import { useState } from "preact/hooks";
import { FIRST_GAME } from "../boards";
import { OWN } from "../dialects";
import * as me from "../me";
import { OpenTable } from "../parts/lobby/open";
import { Casual } from "../parts/player/casual";
import { Games } from "../parts/player/games";
import { Ratings } from "../parts/player/ratings";
import { Results } from "../parts/player/results";
import type { PlayerShown } from "../parts/player/shapes";
import { Sorry, Title, useEvery, useGet } from "../parts/page";
import { gameOf } from "../words";

const EVERY = 10_000; // milliseconds between two looks at whether it is connected

export function PlayerPage({ id }: { id: number }) {
  const { found, wrong, again } = useGet<PlayerShown>(`/api/players/${id}`);
  // Counts up when a game came out, so that what is made from games is asked for anew.
  const [turn, setTurn] = useState(0);
  const [asking, setAsking] = useState(false);
  useEvery(EVERY, again);
  if (!found) {
    if (wrong) return <Sorry title="This player cannot be shown" sentence={`${wrong} The link may be old, or of another server.`} />;
    return (
      <>
        <Title text={`Player ${id}`} />
        <div class="player-coming" aria-busy="true" />
      </>
    );
  }
  const { line, connected, ratings } = found;
  return (
    <div class="player">
      {asking && <OpenTable game={FIRST_GAME} guest={{ player: id, name: line.name }} close={() => setAsking(false)} />}
      <header>
        <Title text={line.name || `Player ${id}`}>{me.player.value === id && <span class="badge">this is you</span>}</Title>
        <p class="player-who">
          <span class={connected ? "here" : "away"}>{connected ? "● connected" : "○ not connected"}</span>
          <span>
            {line.dialect === "bot" ? "a program of the house" : spokenOf(line.dialect) ? "a program that speaks " : "comes by this page"}
            {line.dialect !== "bot" && spokenOf(line.dialect) && <span class="badge">{spokenOf(line.dialect)}</span>}
          </span>
          <span class="faint">player {id}</span>
          {connected && line.dialect === OWN && me.player.value !== id && (
            <button type="button" onClick={() => setAsking(true)}>
              Challenge
            </button>
          )}
          {(ratings ?? []).map((one) => (
            <span key={one.game}>
              {gameOf(one.game)} <strong>{Math.round(one.rating)}</strong> <span class="faint">± {Math.round(one.uncertainty)}</span>
            </span>
          ))}
        </p>
      </header>
      <div class="player-columns">
        <section class="card" aria-labelledby="ratings">
          <h2 id="ratings">Rating in tours</h2>
          <Ratings id={id} turn={turn} />
        </section>
        <section class="card" aria-labelledby="casual">
          <h2 id="casual">Rating in casual games</h2>
          <Casual id={id} turn={turn} />
        </section>
        <section class="card" aria-labelledby="results">
          <h2 id="results">Results by opponent</h2>
          <Results id={id} turn={turn} />
        </section>
      </div>
      <section class="card" aria-labelledby="games">
        <h2 id="games">Games</h2>
        <Games id={id} ended={() => setTurn((n) => n + 1)} />
      </section>
    </div>
  );
}
