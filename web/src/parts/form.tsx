// What forms end with: what the server would not do, in a sentence, and the buttons of a dialog.

interface EndProps {
  wrong: string;
  act: string;
  close: () => void;
  busy?: boolean;
  kind?: string;
}

/** The sentence, read out as soon as it is there. */
export function Wrong({ text, kind = "" }: { text: string; kind?: string }) {
  if (!text) return null;
  return (
    <p class={`wrong ${kind}`.trim()} role="alert">
      {text}
    </p>
  );
}

/** The end of a form in a dialog; it stays in sight where the form is long, and so does the sentence. */
export function FormEnd({ wrong, act, close, busy = false, kind = "" }: EndProps) {
  return (
    <div class={`actions ${kind}`.trim()}>
      <Wrong text={wrong} />
      <button type="button" class="quiet" onClick={close}>
        Cancel
      </button>
      <button type="submit" class="main" aria-busy={busy} disabled={busy}>
        {act}
      </button>
    </div>
  );
}
