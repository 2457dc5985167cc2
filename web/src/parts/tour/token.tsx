// "I am the organiser": the question for the token.

import { useState } from "preact/hooks";
import { tell } from "../../announce";
import { useBusy } from "../busy";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { organise } from "./organiser";

/** Ask for the token; `done` once it was the right one. */
export function TokenDialog({ close, done = close }: { close: () => void; done?: () => void }) {
  const [given, setGiven] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const submit = (event: Event) => {
    event.preventDefault();
    during(organise(given.trim())).then(
      () => {
        tell("You are the organiser in this tab.");
        done();
      },
      (why: Error) => setWrong(why.message),
    );
  };
  return (
    <Dialog title="I am the organiser" close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>
          Whoever runs the server has the organiser’s token: it was printed at the first start, and is in the file <code>data/organiser.token</code>,
          or in another folder if the server was started with <code>--data</code>. This tab remembers it until it is closed.
        </p>
        <label>
          Token
          <input type="password" name="token" value={given} required autoFocus autocomplete="off" spellcheck={false} onInput={(e) => setGiven(e.currentTarget.value)} />
        </label>
        <FormEnd wrong={wrong} act="That is me" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}
