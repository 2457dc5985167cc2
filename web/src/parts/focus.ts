// The focus must not be lost: whoever uses a keyboard would begin again at the top of the page.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * A place that keeps the focus: when what had it in there is taken away, the place itself has it, or
 * what is marked with `data-rest`. The place must be able to have it (`tabIndex={-1}`).
 */
export function useFocusKept<E extends HTMLElement>(): RefObject<E> {
  const place = useRef<E>(null);
  const inside = place.current?.contains(document.activeElement) ?? false; // as it is before it is drawn anew
  useLayoutEffect(() => {
    if (inside && isLost()) (place.current?.querySelector<HTMLElement>("[data-rest]") ?? place.current)?.focus({ preventScroll: true });
  });
  return place;
}

/** Whether nothing has the focus. */
export function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
