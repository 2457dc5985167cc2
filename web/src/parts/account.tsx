// Accounts: keeping a name by a passphrase, signing in with one, and leaving this browser.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { tell } from "../announce";
import * as me from "../me";
import { useBusy } from "./busy";
import { Dialog } from "./dialog";
import { FormEnd } from "./form";

const LEAST = 10; // characters of a passphrase
const open = signal<"keep" | "sign-in" | "sign-out" | "give-up" | null>(null);

/** Opens what can be done about who I am here. */
export function AccountButton() {
  if (me.player.value === null) {
    return (
      <button type="button" class="quiet account" onClick={() => (open.value = "sign-in")}>
        Sign in
      </button>
    );
  }
  const kept = me.account.value;
  return (
    <button
      type="button"
      class="quiet account"
      aria-label={kept ? "Sign out" : "Keep name"}
      onClick={() => (open.value = kept ? "sign-out" : "keep")}
    >
      {kept ? "Sign out" : <>Keep<span class="wide"> name</span></>}
    </button>
  );
}

export function AccountDialogs() {
  const close = () => (open.value = null);
  if (open.value === "keep") return <Keep close={close} />;
  if (open.value === "sign-in") return <SignIn close={close} />;
  if (open.value === "sign-out") return <SignOut close={close} />;
  if (open.value === "give-up") return <GiveUp close={close} />;
  return null;
}

function Keep({ close }: { close: () => void }) {
  const [said, setSaid] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const submit = (event: Event) => {
    event.preventDefault();
    during(me.keepName(said)).then(
      () => {
        tell(`${me.name.value} is your name from now on.`);
        close();
      },
      (why: Error) => setWrong(why.message),
    );
  };
  return (
    <Dialog title={`Keep the name ${me.name.value}`} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>With a passphrase you are {me.name.value} in every browser, with your games and ratings, and nobody else is. There is no mail and no other way back: write it down.</p>
        <Passphrase value={said} choose={setSaid} kind="new-password" />
        <FormEnd wrong={wrong} act="Keep it" close={close} busy={busy} />
        <p class="hint-text">
          Have you kept a name already?{" "}
          <button type="button" class="quiet account" onClick={() => (open.value = "sign-in")}>
            Sign in
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function SignIn({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const [said, setSaid] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const submit = (event: Event) => {
    event.preventDefault();
    during(me.signIn(name.trim(), said)).then(close, (why: Error) => setWrong(why.message));
  };
  return (
    <Dialog title="Sign in" close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>For names that are kept by a passphrase. Without one you need no account to play.</p>
        <label>
          Name
          <input name="name" value={name} required autoFocus autocomplete="username" onInput={(e) => setName(e.currentTarget.value)} />
        </label>
        <Passphrase value={said} choose={setSaid} kind="current-password" />
        <FormEnd wrong={wrong} act="Sign in" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}

function SignOut({ close }: { close: () => void }) {
  const submit = (event: Event) => {
    event.preventDefault();
    me.signOut();
    close();
  };
  return (
    <Dialog title="Sign out" close={close}>
      <form onSubmit={submit}>
        <p>This browser forgets you. Your name, games and ratings stay yours: sign in again with the passphrase.</p>
        <FormEnd wrong="" act="Sign out" close={close} />
        <p class="hint-text">
          Do you want to keep the name no more?{" "}
          <button type="button" class="quiet account" onClick={() => (open.value = "give-up")}>
            Give name up
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function GiveUp({ close }: { close: () => void }) {
  const [said, setSaid] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const submit = (event: Event) => {
    event.preventDefault();
    during(me.giveUpName(said)).then(
      () => {
        tell(`${me.name.value} is kept no more.`);
        close();
      },
      (why: Error) => setWrong(why.message),
    );
  };
  return (
    <Dialog title={`Give the name ${me.name.value} up`} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>You are a guest again in this browser, with your games; no other browser can become you, and somebody else may keep the name.</p>
        <Passphrase value={said} choose={setSaid} kind="current-password" />
        <FormEnd wrong={wrong} act="Give it up" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}

function Passphrase({ value, choose, kind }: { value: string; choose: (text: string) => void; kind: "new-password" | "current-password" }) {
  return (
    <label>
      Passphrase
      <input name="passphrase" type="password" value={value} required minLength={LEAST} autoFocus={kind === "new-password"} autocomplete={kind} onInput={(e) => choose(e.currentTarget.value)} />
    </label>
  );
}
