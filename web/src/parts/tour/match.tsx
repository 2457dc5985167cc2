// One match in a list: its sides, how it came out, and where it was played.

import type { MatchLine } from "../../wire";
import { type Names, Name, nameOf } from "./names";
import { act } from "./organiser";
import { Ruling } from "./ruling";
import { cameOut, halves, reasonOf } from "./score";
import { ConfirmButton } from "./confirm-button";

interface Props {
  tour: number;
  match: MatchLine;
  names: Names;
  /** Whether to offer to void it. */
  runs: boolean;
  /** Whether the tour is over, and with it what was not played. */
  over: boolean;
}

export function Match({ tour, match, names, runs, over }: Props) {
  return (
    <li class={`match match-${match.status}`}>
      <div class="match-sides">
        {match.sides.map((entrant, side) => (
          <Side key={entrant} match={match} side={side} entrant={entrant} names={names} />
        ))}
      </div>
      <div class="match-foot">
        <span class="match-how">
          <span class="faint">#{match.match}</span> <Status match={match} over={over} />
        </span>
        <Where match={match} names={names} />
        {runs && match.sides.length > 1 && <Ruling tour={tour} match={match} names={names} />}
        {runs && voidable(match, names) && (
          <ConfirmButton
            text="Void"
            label={`Void match ${match.match}`}
            quiet
            question={`Void match ${match.match}?`}
            about="It counts for nothing, and is played again when its players are free."
            yes="Void it"
            act={() => act(tour, { type: "void", match: match.match })}
          />
        )}
      </div>
    </li>
  );
}

/** What has not begun, a bye, and matches of somebody who is out cannot be voided. */
function voidable(match: MatchLine, names: Names): boolean {
  return match.status !== "waiting" && match.sides.length > 1 && match.sides.every((side) => !names.get(side)?.out);
}

function Side({ match, side, entrant, names }: { match: MatchLine; side: number; entrant: number; names: Names }) {
  const came = cameOut(match, side);
  const partner = match.teams.length > 0 ? ` · team ${(match.teams[side] ?? 0) + 1}` : "";
  return (
    <div class={`match-side side-${came || "none"}`}>
      <span>
        <Name names={names} entrant={entrant} />
        {partner && <span class="faint">{partner}</span>}
      </span>
      <span class="match-score">
        {came === "won" && <span class="unseen">won, </span>}
        {match.result ? halves(match.points[side] ?? 0) : ""}
      </span>
    </div>
  );
}

function Status({ match, over }: { match: MatchLine; over: boolean }) {
  if (match.status === "playing") return <span class="badge badge-live">● playing</span>;
  if (match.status === "waiting" && over) return <span class="faint">not played</span>;
  if (match.status === "waiting") return <span class="faint">to be played{match.voided > 0 ? " again" : ""}</span>;
  return (
    <span class="faint">
      {reasonOf(match)}
      {match.result?.by_hand && <span class="badge">by hand</span>}
    </span>
  );
}

function Where({ match, names }: { match: MatchLine; names: Names }) {
  if (match.table === null) return null;
  const between = match.sides.map((entrant) => nameOf(names, entrant)).join(" – ");
  return (
    <a href={`/tables/${match.table}`} aria-label={`${match.status === "playing" ? "Watch" : "Replay"} ${between}, table ${match.table}`}>
      {match.status === "playing" ? "Watch" : "Replay"}
    </a>
  );
}
