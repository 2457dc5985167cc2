// A button whose act cannot be taken back: it asks once more, in the page.

import { useState } from "preact/hooks";
import { complain } from "../../announce";
import { Dialog } from "../dialog";

interface Props {
  /** What the button says. */
  text: string;
  /** What it is called where several say the same. */
  label?: string;
  question: string;
  about: string;
  yes: string;
  quiet?: boolean;
  act: () => Promise<unknown>;
}

export function ConfirmButton({ text, label, question, about, yes, quiet = false, act }: Props) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const go = () => {
    setBusy(true);
    act()
      .catch(complain)
      .finally(() => {
        setBusy(false);
        setAsking(false);
      });
  };
  return (
    <>
      <button type="button" class={quiet ? "quiet" : ""} aria-label={label} onClick={() => setAsking(true)}>
        {text}
      </button>
      {asking && (
        <Dialog title={question} close={() => setAsking(false)}>
          <p>{about}</p>
          <div class="actions">
            <button type="button" class="quiet" onClick={() => setAsking(false)}>
              No
            </button>
            <button type="button" class="danger" aria-busy={busy} disabled={busy} onClick={go}>
              {yes}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
