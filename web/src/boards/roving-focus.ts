// Going about a board with the keyboard: one cell is in the tab order, the one that had the focus
// last. Cells are marked with `data-cell`, and each can have the focus.

import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";

interface Roving<E> {
  /** The cell that had the focus last; null until somebody was there. */
  at: string | null;
  /** For the board itself. */
  board: { ref: RefObject<E>; onFocusIn: (event: FocusEvent) => void };
  /** Give this cell the focus. */
  go: (cell: string | number) => void;
}

export function useRoving<E extends Element>(): Roving<E> {
  const ref = useRef<E>(null);
  const [at, setAt] = useState<string | null>(null);
  return {
    at,
    board: {
      ref,
      onFocusIn: ({ target }) => setAt((target as Element).closest<HTMLElement | SVGElement>("[data-cell]")?.dataset.cell ?? at),
    },
    go: (cell) => ref.current?.querySelector<HTMLElement | SVGElement>(`[data-cell="${cell}"]`)?.focus(),
  };
}
