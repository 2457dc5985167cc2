// Another name for an entrant: in this tour alone, and only by whoever runs it.

import { useState } from "preact/hooks";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { act } from "./organiser";

interface Props {
  tour: number;
  entrant: number;
  name: string;
}

export function Rename(props: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="quiet" aria-label={`Rename ${props.name}`} onClick={() => setAsking(true)}>
        Rename
      </button>
      {asking && <Form {...props} close={() => setAsking(false)} />}
    </>
  );
}

function Form({ tour, entrant, name, close }: Props & { close: () => void }) {
  const [given, setGiven] = useState(name);
  const [wrong, setWrong] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    act(tour, { type: "rename", entrant, name: given.trim() }).then(close, (why: Error) => setWrong(why.message));
  };
  return (
    <Dialog title={`Rename ${name}`} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>In this tour it is called so, also in exports. At the tables its player keeps its own name.</p>
        <label>
          Name
          <input value={given} required maxLength={40} autoFocus autocomplete="off" onInput={(event) => setGiven(event.currentTarget.value)} />
        </label>
        <FormEnd wrong={wrong} act="Call it so" close={close} />
      </form>
    </Dialog>
  );
}
