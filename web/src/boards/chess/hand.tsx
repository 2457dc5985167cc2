// The pieces somebody has in hand: how many of each, to be chosen by a click or dragged out.

import type { Color } from "chessground/types";
import { useRef } from "preact/hooks";
import { ROLES } from "./moves";

const ORDER = ["P", "N", "B", "R", "Q"];
const STILL = 10; // pixels a finger may move and still only tap

interface Props {
  owner: string;
  side: Color;
  /** The pieces by letter, in order of arrival. */
  hand: string;
  /** Letters that may be dropped now. */
  may: ReadonlySet<string>;
  chosen: string | null;
  /** `keyed`: with the keyboard, which has to go on from the board. */
  choose: (letter: string, keyed: boolean) => void;
  drag: (letter: string, event: MouseEvent | TouchEvent) => void;
}

export function Hand({ owner, side, hand, may, chosen, choose, drag }: Props) {
  const letters = hand.toUpperCase();
  const start = useRef<{ x: number; y: number } | null>(null);
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
            onClick={(event) => choose(letter, event.detail === 0)}
            onMouseDown={(event) => live && drag(letter, event)}
            onTouchStart={(event) => {
              if (!live) return;
              start.current = pointOf(event);
              drag(letter, event);
            }}
            onTouchEnd={(event) => {
              // Chessground lets no click come of a touch that began to drag: a tap is one here.
              const [from, to] = [start.current, pointOf(event)];
              if (!live || !from || Math.hypot(to.x - from.x, to.y - from.y) > STILL) return;
              event.preventDefault();
              choose(letter, false);
            }}
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

function pointOf(event: TouchEvent): { x: number; y: number } {
  const touch = event.changedTouches[0];
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 };
}

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      /** What chessground draws a piece with. */
      piece: { class: string };
    }
  }
}
