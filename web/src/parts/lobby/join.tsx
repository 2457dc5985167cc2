// "Join by code": the code of a tour, or the number of a table.

import { useState } from "preact/hooks";
import { get } from "../../api";
import * as line from "../../line";
import { go } from "../../route";
import { Wrong } from "../form";
import { asPlayer } from "../me";

export function JoinByCode() {
  const [code, setCode] = useState("");
  const [team, setTeam] = useState("");
  const [teams, setTeams] = useState(false); // whether that tour is one of teams
  const [wrong, setWrong] = useState("");

  const refuse = (why: unknown) => {
    if (why instanceof line.Refusal && why.code === "no_team") setTeams(true);
    setWrong(why instanceof Error ? why.message : String(why));
  };
  const join = () =>
    asPlayer(() => {
      line
        .ask<{ type: string; tour: number }>({ type: "join_tour", code: code.trim(), team: team.trim() })
        .then(({ tour }) => go(`/tours/${tour}`), refuse);
    });
  const submit = (event: Event) => {
    event.preventDefault();
    setWrong("");
    const number = /^#?([1-9]\d{0,14})$/.exec(code.trim())?.[1];
    // A code may be digits too: what is no table is asked for as a code.
    if (number) get(`/api/tables/${number}`).then(() => go(`/tables/${number}`), join);
    else join();
  };
  return (
    <section class="card" aria-labelledby="join-title">
      <h2 id="join-title">Join by code</h2>
      <form class="join-code" onSubmit={submit}>
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
            <input name="team" value={team} required maxLength={40} autocomplete="off" onInput={(e) => setTeam(e.currentTarget.value)} />
          </label>
        )}
        <button type="submit">Join</button>
      </form>
      <Wrong text={wrong} kind="join-wrong" />
    </section>
  );
}
