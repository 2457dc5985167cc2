// Who I am, in the head of every page; and the question for a name, before the first game.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { complain } from "../announce";
import * as me from "../me";
import { AccountButton, AccountDialogs } from "./account";
import { Press, useBusy } from "./busy";
import { Dialog } from "./dialog";
import { FormEnd } from "./form";

const asking = signal<{ then: () => void } | null>(null);
const renaming = signal(false);

/** Do this as a player: at once, or once there is a name, and in this tab. */
export function asPlayer(work: () => void): void {
  if (me.player.value !== null) work();
  else if (me.elsewhere.value) me.playHere().then(work, complain);
  else asking.value = { then: work };
}

export function Me() {
  return (
    <div class="me">
      <Who />
      {asking.value && (
        <NameDialog
          title="What is your name?"
          about="Others see it at the table. No account is needed; this browser remembers you."
          act="Play"
          done={async (name) => {
            const then = asking.value?.then;
            await me.enter(name);
            asking.value = null;
            then?.();
          }}
          close={() => (asking.value = null)}
        />
      )}
      <AccountDialogs />
      {renaming.value && (
        <NameDialog
          title="Your name"
          about="Games you have played keep the old one."
          act="Change"
          initial={me.name.value}
          done={async (name) => {
            await me.rename(name);
            renaming.value = false;
          }}
          close={() => (renaming.value = false)}
        />
      )}
    </div>
  );
}

function Who() {
  if (me.elsewhere.value) {
    return <Press text={`${me.name.value}: play here`} title="You play in another tab" act={me.playHere} />;
  }
  if (me.player.value === null) {
    return (
      <>
        <button type="button" onClick={() => asPlayer(() => undefined)}>
          Choose a name
        </button>
        <AccountButton />
      </>
    );
  }
  return (
    <>
      <a class="me-name" href={`/players/${me.player.value}`}>
        {me.name.value}
      </a>
      {!me.account.value && (
        <button type="button" class="quiet" onClick={() => (renaming.value = true)} aria-label="Change your name">
          ✎
        </button>
      )}
      <AccountButton />
    </>
  );
}

interface NameProps {
  title: string;
  about: string;
  act: string;
  initial?: string;
  done: (name: string) => Promise<void>;
  close: () => void;
}

function NameDialog({ title, about, act, initial = "", done, close }: NameProps) {
  const [name, setName] = useState(initial);
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const submit = (event: Event) => {
    event.preventDefault();
    during(done(name.trim())).catch((why: Error) => setWrong(why.message));
  };
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>{me.trouble.value || about}</p>
        <label>
          Name
          <input name="name" value={name} required autoFocus autocomplete="nickname" onInput={(e) => setName(e.currentTarget.value)} />
        </label>
        <FormEnd wrong={wrong} act={act} close={close} busy={busy} />
      </form>
    </Dialog>
  );
}
