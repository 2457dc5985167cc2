// Beside a line that somebody else said: block its author.

import { useState } from "preact/hooks";
import { tell } from "../../announce";
import * as me from "../../me";
import { useBusy } from "../busy";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { asPlayer } from "../me";
import { block } from "./blocked";

interface Author {
  player: number;
  name: string;
}

export function BlockAuthor({ player, name }: Author) {
  const [open, setOpen] = useState(false);
  if (player === me.number.value) return null;
  return (
    <>
      <button type="button" class="quiet block-author" aria-label={`Block ${name}`} title="Block" onClick={() => asPlayer(() => setOpen(true))}>
        ⋯
      </button>
      {open && <Asking player={player} name={name} close={() => setOpen(false)} />}
    </>
  );
}

function Asking({ player, name, close }: Author & { close: () => void }) {
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const submit = (event: Event) => {
    event.preventDefault();
    during(block(player)).then(
      () => {
        tell(`You hear nothing more of ${name}.`);
        close();
      },
      (why: Error) => setWrong(why.message),
    );
  };
  return (
    <Dialog title={`Block ${name}?`} close={close}>
      <form onSubmit={submit}>
        <p>You no longer see what a blocked player says, and they can neither challenge you nor sit down where you wait. Tours are not affected. You can unblock them in Settings.</p>
        <FormEnd wrong={wrong} act="Block" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}
