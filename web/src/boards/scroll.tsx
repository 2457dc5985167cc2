// Room for a board that may be larger than its place: it scrolls, and begins in the middle.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export function Scroll({ children }: { children: ComponentChildren }) {
  const room = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = room;
    current?.scrollTo({ left: (current.scrollWidth - current.clientWidth) / 2, top: (current.scrollHeight - current.clientHeight) / 2 });
  }, []);
  return (
    <div class="board-scroll" ref={room}>
      {children}
    </div>
  );
}
