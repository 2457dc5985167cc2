// The pieces somebody has in hand: how many of each, to be chosen by a click or dragged out.

import type { Color } from "chessground/types";
import { ROLES } from "./moves";

const ORDER = ["P", "N", "B", "R", "Q"];

interface Props {
  owner: string;
  side: Color;
  /** The pieces by letter, in order of arrival. */
  hand: string;
  /** Letters that may be dropped now. */
  may: ReadonlySet<string>;
  chosen: string | null;
  choose: (letter: string) => void;
  drag: (letter: string, event: MouseEvent | TouchEvent) => void;
}

export function Hand({ owner, side, hand, may, chosen, choose, drag }: Props) {
  const letters = hand.toUpperCase();
  return (
    <div class="hand" role="group" aria-label={`${owner} in hand`}>
      {ORDER.map((letter) => {
        const n = letters.split(letter).length - 1;
        const role = ROLES[letter] ?? "pawn";
        const live = may.has(letter);
        return (
          <button
            type="button"
            key={letter}
            class={`hand-piece${n === 0 ? " none" : ""}`}
            disabled={!live}
            aria-pressed={chosen === letter}
            aria-label={`${n} ${role}${n === 1 ? "" : "s"}`}
            onClick={() => choose(letter)}
            onMouseDown={(event) => live && drag(letter, event)}
            onTouchStart={(event) => live && drag(letter, event)}
          >
            <span class="cg-wrap">
              <piece class={`${role} ${side}`} />
            </span>
            <span class="hand-count">{n > 0 ? n : ""}</span>
          </button>
        );
      })}
    </div>
  );
}

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      /** What chessground draws a piece with. */
      piece: { class: string };
    }
  }
}
