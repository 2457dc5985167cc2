// Marks by the keyboard: M on a cell begins one, M on the same cell makes it a circle, on another
// an arrow from the first to the second. Any other key but an arrow lets go of what was begun.

import { useRef } from "preact/hooks";

/** What a key on this cell marks: from where to where; null where it marks nothing yet. */
export function useMarking<T>(): (key: KeyboardEvent, cell: T) => [T, T] | null {
  const first = useRef<T | null>(null);
  return (key, cell) => {
    if (key.key !== "m" || key.ctrlKey || key.metaKey || key.altKey) {
      if (!key.key.startsWith("Arrow")) first.current = null;
      return null;
    }
    const from = first.current;
    first.current = from === null ? cell : null;
    return from === null ? null : [from, cell];
  };
}
