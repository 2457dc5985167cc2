// Another player for an entrant: results and matches to come stay with the entrant.

import { useState } from "preact/hooks";
import { dialects } from "../../dialects";
import type { EntrantLine, PlayerLine, TourShown } from "../../wire";
import { useBusy } from "../busy";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { useGet } from "../page";
import { act } from "./organiser";

interface Props {
  shown: TourShown;
  one: EntrantLine;
  name: string;
}

export function Replace(props: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="quiet" aria-label={`Replace the player of ${props.name}`} onClick={() => setAsking(true)}>
        Replace
      </button>
      {asking && <Form {...props} close={() => setAsking(false)} />}
    </>
  );
}

function Form({ shown, one, name, close }: Props & { close: () => void }) {
  const { found } = useGet<{ players: PlayerLine[] }>("/api/players?limit=200");
  const inside = new Set(shown.entrants.flatMap((entrant) => entrant.players.map(({ player }) => player)));
  const able = dialects.value.filter(({ tours }) => tours).map((dialect) => dialect.name);
  const free = (found?.players ?? []).filter(({ player, dialect }) => !inside.has(player) && able.includes(dialect));
  const [given, setGiven] = useState(0);
  const [was, setWas] = useState(one.players[0]?.player ?? 0);
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const now = given || (free[0]?.player ?? 0);
  const submit = (event: Event) => {
    event.preventDefault();
    during(act(shown.line.tour, { type: "replace", entrant: one.entrant, now, was })).then(close, (why: Error) => setWrong(why.message));
  };
  const pick = (label: string, value: number, set: (player: number) => void, some: readonly { player: number; name: string }[]) => (
    <label>
      {label}
      <select value={value} onChange={(event) => set(Number(event.currentTarget.value))}>
        {some.map(({ player, name: called }) => (
          <option key={player} value={player}>
            {called || "Player"} ({player})
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <Dialog title={`Who plays for ${name} from now on?`} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>Name, results and matches to come stay with the entrant; games played before count for the rating of who played them.</p>
        {one.players.length > 1 && pick("Instead of", was, setWas, one.players)}
        {free.length > 0 ? pick("Player", now, setGiven, free) : <p>{found ? `Nobody else is here who could: whoever it is must be connected, in ${able.join(" or ")}, and not in this tour.` : "Looking who is here…"}</p>}
        <FormEnd wrong={wrong} act="Replace" close={close} busy={busy} off={now === 0} />
      </form>
    </Dialog>
  );
}
