// Who is in a tour: which language each speaks, and whether it is connected.

import { spokenOf } from "../../dialects";
import type { EntrantLine, TourShown } from "../../wire";
import { act } from "./organiser";
import { ConfirmButton } from "./confirm-button";

export function Entrants({ shown, runs }: { shown: TourShown; runs: boolean }) {
  return (
    <ul class="entrants">
      {shown.entrants.map((one) => (
        <Entrant key={one.entrant} shown={shown} one={one} runs={runs} />
      ))}
    </ul>
  );
}

function Entrant({ shown, one, runs }: { shown: TourShown; one: EntrantLine; runs: boolean }) {
  const { tour } = shown.line;
  const [only] = one.players;
  const alone = one.players.length === 1 && only?.name === one.name ? only : null;
  const name = one.name || `Entrant ${one.entrant}`;
  return (
    <li class={one.out ? "entrant is-out" : "entrant"}>
      <div class="entrant-head">
        <span class="faint">{one.entrant}</span>
        {alone ? <Player player={alone} /> : <strong>{name}</strong>}
        {one.out && <span class="badge">{OUT[one.out] ?? one.out}</span>}
        {one.paused && <span class="badge">paused</span>}
        {runs && !one.out && (
          <ConfirmButton
            text="Put out"
            label={`Put ${name} out`}
            quiet
            question={`Put ${name} out of the tour?`}
            about="It is out for good: a running game is resigned, and matches not yet played are lost."
            yes="Put it out"
            act={() => act(tour, { type: "withdraw", entrant: one.entrant })}
          />
        )}
      </div>
      {!alone && (
        <ul>
          {one.players.map((player) => (
            <li key={player.player}>
              <Player player={player} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Player({ player }: { player: EntrantLine["players"][number] }) {
  return (
    <span class="entrant-player">
      <a href={`/players/${player.player}`}>{player.name || `Player ${player.player}`}</a> {spokenOf(player.dialect) && <span class="badge">{spokenOf(player.dialect)}</span>}{" "}
      <span class={player.connected ? "here" : "away"}>{player.connected ? "● connected" : "○ away"}</span>
    </span>
  );
}

/** Why an entrant is out, in few words; other reasons are shown as they are. */
export const OUT: Record<string, string> = { removed: "put out", late: "out: too late", cheated: "out: illegal moves", gone: "out: gone", resigned: "out: resigned" };
