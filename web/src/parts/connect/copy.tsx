// Text to paste elsewhere, with a button that copies it.

import { useState } from "preact/hooks";
import { announce, complain } from "../../announce";

export function Paste({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    void write(text).then(() => {
      setCopied(true);
      announce("Copied.");
      setTimeout(() => setCopied(false), 2000);
    }, complain);
  return (
    <div class="paste">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <button type="button" class="paste-copy" onClick={copy} aria-label={`Copy: ${label}`}>
        {copied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}

/** Browsers let a page write to the clipboard only over TLS or on this machine. */
async function write(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error("This browser lets the page copy nothing here; select the text, and copy it yourself.");
  await navigator.clipboard.writeText(text);
}
