// A dialog: the browser's own, which keeps the focus, closes with Escape, and gives the focus back
// to whatever had it before.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const place = useRef<HTMLDialogElement>(null);
  const open = useRef(true);
  useLayoutEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    return () => {
      open.current = false;
      dialog?.close(); // only taken out of the page, it would take the focus along
    };
  }, []);
  return (
    <dialog ref={place} class="dialog" aria-label={title} onClose={() => open.current && close()}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}
