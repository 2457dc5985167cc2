// Arranging rounds to come: who meets, who must not, who sits out; and taking that back.

import { useState } from "preact/hooks";
import { tell } from "../../announce";
import type { Arrangement, MatchLine, TourShown, Worth } from "../../wire";
import { Press, useBusy } from "../busy";
import { Dialog } from "../dialog";
import { Wrong } from "../form";
import { arrangedWords, nextRound, toCome, WORTHS } from "./arranging";
import { type Names, nameOf } from "./names";
import { act } from "./organiser";

interface Props {
  shown: TourShown;
  matches: readonly MatchLine[];
  names: Names;
}

export function Arrange(props: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Arrange rounds
      </button>
      {asking && <Arranging {...props} close={() => setAsking(false)} />}
    </>
  );
}

function Arranging({ shown, matches, names, close }: Props & { close: () => void }) {
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const next = nextRound(matches);
  const arranged = (shown.arranged ?? []).filter((what) => toCome(what, next));
  const ask = (what: Arrangement, off: boolean) => {
    setWrong("");
    return during(act(shown.line.tour, { type: "arrange", what, off })).then(
      () => tell(`${off ? "Taken back" : "Arranged"}: ${arrangedWords(what, names)}.`),
      (why: Error) => setWrong(why.message),
    );
  };
  return (
    <Dialog title="Arrange rounds to come" close={close}>
      {arranged.length > 0 ? (
        <ul class="arranged">
          {arranged.map((what) => (
            <li key={JSON.stringify(what)}>
              <span>{arrangedWords(what, names)}</span>
              <Press quiet text="Take back" label={`Take back: ${arrangedWords(what, names)}`} act={() => ask(what, true)} />
            </li>
          ))}
        </ul>
      ) : (
        <p class="faint">Nothing is arranged: every round is paired by points.</p>
      )}
      <Form shown={shown} names={names} next={next} arrange={(what) => void ask(what, false)} busy={busy} wrong={wrong} heal={() => setWrong("")} close={close} />
    </Dialog>
  );
}

interface FormProps {
  shown: TourShown;
  names: Names;
  next: number;
  arrange: (what: Arrangement) => void;
  busy: boolean;
  wrong: string;
  heal: () => void;
  close: () => void;
}

function Form({ shown, names, next, arrange, busy, wrong, heal, close }: FormProps) {
  const there = shown.entrants.filter((one) => !one.out).map((one) => one.entrant);
  const [kind, setKind] = useState<Arrangement["type"]>("meet");
  const [one, setOne] = useState(there[0] ?? 0);
  const [other, setOther] = useState(there[1] ?? 0);
  const [round, setRound] = useState(String(next));
  const [worth, setWorth] = useState<Worth>("half");
  const submit = (event: Event) => {
    event.preventDefault();
    if (kind === "meet") arrange({ type: kind, round: Number(round), sides: [one, other] });
    else if (kind === "apart") arrange({ type: kind, entrants: [one, other] });
    else arrange({ type: kind, round: Number(round), entrant: one, worth });
  };
  const who = (label: string, value: number, set: (entrant: number) => void) => (
    <label>
      {label}
      <select value={value} onChange={(event) => set(Number(event.currentTarget.value))}>
        {there.map((entrant) => (
          <option key={entrant} value={entrant}>
            {nameOf(names, entrant)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form onSubmit={submit} onInput={heal}>
      <label>
        What
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Arrangement["type"])}>
          <option value="meet">Two meet in a round</option>
          <option value="apart">Two never meet</option>
          <option value="rest">Somebody sits out a round</option>
        </select>
      </label>
      {who(kind === "meet" ? "Who moves first" : "Who", one, setOne)}
      {kind !== "rest" && who(kind === "meet" ? "Against whom" : "And whom", other, setOther)}
      {kind !== "apart" && (
        <label>
          Round
          <input type="number" min={next} max={99} required value={round} onInput={(event) => setRound(event.currentTarget.value)} />
        </label>
      )}
      {kind === "rest" && (
        <label>
          Points
          <select value={worth} onChange={(event) => setWorth(event.currentTarget.value as Worth)}>
            {Object.entries(WORTHS).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="actions">
        <Wrong text={wrong} />
        <button type="button" class="quiet" onClick={close}>
          Done
        </button>
        <button type="submit" class="main" aria-busy={busy} disabled={busy || there.length < 2}>
          Arrange it
        </button>
      </div>
    </form>
  );
}
