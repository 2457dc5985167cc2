// What a pawn becomes: asked where it has just arrived.

import type { Color } from "chessground/types";
import { useEffect, useRef } from "preact/hooks";
import { ROLES } from "./moves";

export function Promotion({ side, choose, cancel }: { side: Color; choose: (letter: string) => void; cancel: () => void }) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <div
      class="promotion"
      role="group"
      aria-label="What does the pawn become?"
      onKeyDown={(key) => {
        if (key.key === "Escape") cancel();
      }}
    >
      {["Q", "N", "R", "B"].map((letter, i) => (
        <button type="button" key={letter} ref={i === 0 ? first : null} aria-label={ROLES[letter]} onClick={() => choose(letter.toLowerCase())}>
          <span class="cg-wrap">
            <piece class={`${ROLES[letter]} ${side}`} />
          </span>
        </button>
      ))}
      <button type="button" class="quiet" onClick={cancel}>
        Back
      </button>
    </div>
  );
}
