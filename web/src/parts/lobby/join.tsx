// "Join by code": the code of a tour, or the number of a table. Whoever was given one need not know
// which it is, nor of which tour.

import { useState } from "preact/hooks";
import { tell } from "../../announce";
import { get } from "../../api";
import { remember } from "../../dates";
import * as line from "../../line";
import { go } from "../../route";
import { useBusy } from "../busy";
import { Wrong } from "../form";
import { asPlayer } from "../me";

/** What is asked for next has the focus as soon as it is there. */
const focus = (field: HTMLInputElement | null) => field?.focus();

export function JoinByCode() {
  const [code, setCode] = useState("");
  const [team, setTeam] = useState("");
  const [teams, setTeams] = useState(false); // whether that tour is one of teams
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();

  const refuse = (why: unknown) => {
    const asks = why instanceof line.Refusal && why.code === "no_team"; // no mistake: it wants to know more
    if (asks) setTeams(true);
    setWrong(asks && !teams ? "" : why instanceof Error ? why.message : String(why));
  };
  const join = () =>
    asPlayer(() => {
      during(line.ask<{ type: string; tour: number }>({ type: "join_tour", code: code.trim(), team: team.trim() })).then(({ tour }) => {
        remember(tour);
        tell("You are in. Your first match begins by itself.");
        go(`/tours/${tour}`);
      }, refuse);
    });
  const submit = (event: Event) => {
    event.preventDefault();
    setWrong("");
    const number = /^#?([1-9]\d{0,14})$/.exec(code.trim())?.[1];
    // A code may be digits too: what is no table is asked for as a code.
    if (number) during(get(`/api/tables/${number}`)).then(() => go(`/tables/${number}`), join);
    else join();
  };
  return (
    <section class="card" aria-labelledby="join-title">
      <h2 id="join-title">Join by code</h2>
      <form class="join-code" onSubmit={submit} onInput={() => setWrong("")}>
        <label>
          Tour code or table number
          <input
            name="code"
            value={code}
            required
            maxLength={20}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            onInput={(e) => {
              setCode(e.currentTarget.value);
              setTeams(false);
            }}
          />
        </label>
        {teams && (
          <label>
            Your team; the first of a name opens it
            <input name="team" ref={focus} value={team} required autocomplete="off" onInput={(e) => setTeam(e.currentTarget.value)} />
          </label>
        )}
        <button type="submit" aria-busy={busy} disabled={busy}>
          Join
        </button>
      </form>
      <Wrong text={wrong} kind="join-wrong" />
    </section>
  );
}
