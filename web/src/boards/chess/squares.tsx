// The squares of a chess board for the keyboard and for screen readers: a layer of buttons over
// it, which the mouse goes through. One is in the tab order; arrows move, Enter or Space chooses.

import type { Color, Key, Pieces } from "chessground/types";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Choices } from "./moves";

interface Props {
  label: string;
  pieces: Pieces;
  side: Color;
  choices: Choices;
  /** Where the chosen piece stands, or the letter of one in hand. */
  chosen: string | null;
  choose: (key: Key) => void;
  cancel: () => void;
}

export function Squares({ label, pieces, side, choices, chosen, choose, cancel }: Props) {
  const [moved, setMoved] = useState<number | null>(null); // counted from the top left
  const at = moved ?? (side === "white" ? 60 : 59); // until somebody moved about, where that side's king begins
  const root = useRef<HTMLDivElement>(null);
  const going = useRef(false);
  useLayoutEffect(() => {
    if (going.current) root.current?.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus();
    going.current = false;
  }, [at]);
  const press = (key: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[key.key];
    const to = at + (by ?? 0);
    if (key.key === "Escape" && chosen !== null) cancel();
    else if (by === undefined) return;
    else if (to >= 0 && to < 64 && (Math.abs(by) === 8 || to >> 3 === at >> 3)) {
      going.current = true;
      setMoved(to);
    }
    key.preventDefault();
    key.stopPropagation();
  };
  const targets = chosen === null ? [] : (choices.dests.get(chosen as Key) ?? choices.drops.get(chosen) ?? []);
  return (
    <div ref={root} class="chess-squares" role="group" aria-label={label} onKeyDown={press}>
      {Array.from({ length: 64 }, (_, i) => {
        const key = keyAt(i, side);
        const piece = pieces.get(key);
        const target = targets.includes(key);
        const may = target || choices.dests.has(key);
        const what = piece ? `${piece.color} ${piece.role}` : "empty";
        const state = key === chosen ? ", chosen" : target ? ", can be moved to" : may ? ", can move" : "";
        return (
          <button type="button" key={key} data-at={i} data-key={key} tabIndex={i === at ? 0 : -1} aria-disabled={!may} aria-label={`${key}, ${what}${state}`} onClick={() => choose(key)} />
        );
      })}
    </div>
  );
}

function keyAt(i: number, side: Color): Key {
  const [column, row] = side === "white" ? [i % 8, 7 - (i >> 3)] : [7 - (i % 8), i >> 3];
  return `${String.fromCharCode(97 + column)}${row + 1}` as Key;
}
