// A result by hand: whoever runs the tour says how a match came out, or corrects it.

import { useState } from "preact/hooks";
import type { MatchLine } from "../../wire";
import { useBusy } from "../busy";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { nameOf, type Names } from "./names";
import { act } from "./organiser";

interface Props {
  tour: number;
  match: MatchLine;
  names: Names;
}

export function Ruling(props: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="quiet" aria-label={`Enter the result of match ${props.match.match}`} onClick={() => setAsking(true)}>
        Result
      </button>
      {asking && <Form {...props} close={() => setAsking(false)} />}
    </>
  );
}

function Form({ tour, match, names, close }: Props & { close: () => void }) {
  const ways = outcomes(match, names);
  const [chosen, setChosen] = useState(0);
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const submit = (event: Event) => {
    event.preventDefault();
    const places = ways[chosen]?.places ?? [];
    during(act(tour, { type: "result", match: match.match, places, reason })).then(close, (why: Error) => setWrong(why.message));
  };
  return (
    <Dialog title={`How did match ${match.match} come out?`} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>A game of it that runs is called off. The result is marked as entered by hand, and counts for no rating.</p>
        <label>
          Result
          <select value={chosen} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
            {ways.map(({ text }, index) => (
              <option key={index} value={index}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          Reason
          <input value={reason} maxLength={200} placeholder="a sentence, or nothing" onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
        <FormEnd wrong={wrong} act="Enter it" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}

/** The ways a match can come out that a word says: one team wins, a draw, nobody. */
function outcomes(match: MatchLine, names: Names): { text: string; places: number[] }[] {
  const teams = match.teams.length > 0 ? match.teams : match.sides.map((_, side) => side);
  const won = [...new Set(teams)].map((team) => ({
    text: `${match.sides
      .filter((_, side) => teams[side] === team)
      .map((entrant) => nameOf(names, entrant))
      .join(" and ")} won`,
    places: teams.map((one) => (one === team ? 1 : 2)),
  }));
  return [...won, { text: "A draw", places: teams.map(() => 1) }, { text: "Nobody won", places: teams.map(() => 2) }];
}
