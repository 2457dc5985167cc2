// A button that waits for the server says so, and is not pressed twice.

import { useState } from "preact/hooks";
import { complain } from "../announce";

/** Whether something is on its way, and how to wait for it. */
export function useBusy(): [busy: boolean, during: <T>(work: Promise<T>) => Promise<T>] {
  const [busy, setBusy] = useState(false);
  return [
    busy,
    (work) => {
      setBusy(true);
      return work.finally(() => setBusy(false));
    },
  ];
}

interface PressProps {
  text: string;
  act: () => Promise<unknown>;
  main?: boolean;
  /** What it is called where several say the same. */
  label?: string;
  quiet?: boolean;
  title?: string;
}

/** A button that asks something of the server: while it waits it keeps the focus, and shows it. */
export function Press({ text, act, main = false, label, quiet = false, title }: PressProps) {
  const [busy, during] = useBusy();
  const press = () => {
    if (!busy) during(act()).catch(complain);
  };
  return (
    <button type="button" class={main ? "main" : quiet ? "quiet" : ""} aria-label={label} title={title} aria-busy={busy} aria-disabled={busy} onClick={press}>
      {text}
    </button>
  );
}
