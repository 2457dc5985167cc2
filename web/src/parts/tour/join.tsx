// Joining a tour, and what I have to do with it once I am in.

import { OWN } from "../../dialects";
import { useEffect, useState } from "preact/hooks";
import { announce, complain, tell } from "../../announce";
import { remember } from "../../dates";
import * as line from "../../line";
import * as me from "../../me";
import { go, query } from "../../route";
import type { EntrantLine, MatchLine, TourShown } from "../../wire";
import { Press, useBusy } from "../busy";
import { Wrong } from "../form";
import { asPlayer } from "../me";
import { formatOf, ofTeams } from "./formats";
import { onlyOf } from "./join-words";
import { type Names, nameOf } from "./names";
import { Programs } from "./programs";
import { ConfirmButton } from "./confirm-button";

const TEAM = 2; // players of a team, in every game of teams there is

/** Whether somebody may still join. */
export function takes({ line, plan }: TourShown): boolean {
  if (line.status === "open") return true;
  const late = formatOf(line.format).late && plan.late !== false && !ofTeams(line.variant, line.format);
  return late && (line.status === "running" || line.status === "paused");
}

export function Join({ shown, matches, names, runs }: { shown: TourShown; matches: readonly MatchLine[]; names: Names; runs: boolean }) {
  const mine = shown.entrants.find((one) => one.players.some((player) => player.player === me.player.value));
  if (mine) return <Mine shown={shown} matches={matches} names={names} mine={mine} />;
  if (!takes(shown)) return null;
  return <JoinForm shown={shown} runs={runs} />;
}

function JoinForm({ shown, runs }: { shown: TourShown; runs: boolean }) {
  const { tour, coded, variant, format } = shown.line;
  const teams = ofTeams(variant, format);
  const [code, setCode] = useState(query.value.get("code") ?? ""); // a link may bring it
  const [team, setTeam] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const submit = (event: Event) => {
    event.preventDefault();
    setWrong("");
    asPlayer(() => {
      during(line.ask({ type: "join_tour", tour, code: code.trim(), team: team.trim() })).then(
        () => {
          remember(tour);
          tell("You are in. Your first match begins by itself; stay on this page, or come back.");
        },
        (why: Error) => setWrong(why.message),
      );
    });
  };
  const only = onlyOf(shown);
  if (only !== "" && only !== OWN) {
    return (
      <section class="card tour-join" aria-labelledby="join">
        <h2 id="join">Join</h2>
        <p>This tour is for players of the {only} dialect; you can watch.</p>
        {!runs && <Programs shown={shown} />}
      </section>
    );
  }
  const waiting = shown.entrants.filter((one) => one.players.length < TEAM && !one.out);
  return (
    <section class="card tour-join" aria-labelledby="join">
      <h2 id="join">Join</h2>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        {teams && (
          <label>
            Your team
            <input name="team" value={team} required list="teams" placeholder="its name" onInput={(e) => setTeam(e.currentTarget.value)} />
            <datalist id="teams">
              {waiting.map((one) => (
                <option key={one.entrant} value={one.name} />
              ))}
            </datalist>
          </label>
        )}
        {coded && (
          <label>
            Code
            <input name="code" value={code} required maxLength={20} autocapitalize="characters" autocomplete="off" spellcheck={false} onInput={(e) => setCode(e.currentTarget.value)} />
          </label>
        )}
        <button type="submit" class="main" aria-busy={busy} disabled={busy}>
          Join the tour
        </button>
      </form>
      <Wrong text={wrong} />
      <p class="faint">
        {teams ? "Two players who give the same name are a team. " : ""}
        {coded ? "Whoever runs the tour gives you the code." : "No code is needed."}
      </p>
      {!runs && <Programs shown={shown} />}
    </section>
  );
}

interface MineProps {
  shown: TourShown;
  matches: readonly MatchLine[];
  names: Names;
  mine: EntrantLine;
}

function Mine({ shown, matches, names, mine }: MineProps) {
  const { tour, status } = shown.line;
  const playing = matches.filter((match) => match.status === "playing" && match.sides.includes(mine.entrant));
  const next = matches.find((match) => match.status === "waiting" && match.sides.includes(mine.entrant));
  const on = playing[0]?.table ?? null;
  useEffect(() => {
    if (on !== null) announce(`Your match has begun at table ${on}.`);
  }, [on]);
  const over = status === "ended" || status === "cancelled";
  if (over) return null;
  const others = (match: MatchLine) => match.sides.filter((side) => side !== mine.entrant).map((side) => nameOf(names, side)).join(" and ");
  return (
    <section class="card tour-join" aria-labelledby="mine">
      <h2 id="mine">You are in{mine.players.length > 1 || mine.name !== me.name.value ? ` as ${mine.name}` : ""}</h2>
      {mine.out ? (
        <p>You are out of this tour.</p>
      ) : (
        <>
          <p>{mineNow(status, playing[0] ? `You play against ${others(playing[0])}.` : "", next ? `Next you meet ${others(next)}.` : "")}</p>
          <div class="tour-join-acts">
            {playing.map((match) => (
              <button key={match.match} type="button" class="main" onClick={() => go(`/tables/${match.table}`)}>
                To your match, table {match.table}
              </button>
            ))}
            {status === "closing" && shown.plan.farewell === true && <Goodbye />}
            <ConfirmButton
              text="Withdraw"
              question="Withdraw from the tour?"
              about="You are out for good: a running game is resigned, and matches not yet played are lost."
              yes="Withdraw"
              act={() => line.ask({ type: "withdraw", tour }).catch(complain)}
            />
          </div>
        </>
      )}
    </section>
  );
}

/** Where the tour waits at its end until everyone in it has said goodbye. */
function Goodbye() {
  const [said, setSaid] = useState(false);
  if (said) return <p>You have said goodbye.</p>;
  return <Press main text="Say goodbye" act={() => line.ask({ type: "farewell" }).then(() => setSaid(true))} />;
}

function mineNow(status: string, playing: string, next: string): string {
  if (playing) return playing;
  if (status === "open") return "The tour has not begun. Your matches begin by themselves when it does.";
  if (status === "paused") return "The tour pauses; no match begins until it goes on.";
  if (status === "closing") return "No match begins any more. The tour is over when the last games are.";
  return `${next || "You wait for the next pairing."} The match begins by itself when both of you are free.`;
}
