// The squares of a chess board for the keyboard and for screen readers: a layer of buttons over
// it, which the mouse goes through. One is in the tab order; arrows move, Enter or Space chooses,
// and M marks a square, or, on another than where it was pressed first, draws an arrow there.

import type { Color, Key, Pieces } from "chessground/types";
import { announce } from "../../announce";
import { useMarking } from "../marking";
import { useRoving } from "../roving-focus";
import type { Choices } from "./moves";

interface Props {
  label: string;
  pieces: Pieces;
  side: Color;
  choices: Choices;
  /** Where the chosen piece stands, or the letter of one in hand. */
  chosen: string | null;
  /** The colour whose next move may be chosen before its turn, if one may. */
  early: Color | null;
  /** From where to where that goes, once it was chosen. */
  ahead: readonly Key[];
  choose: (key: Key) => void;
  cancel: () => void;
  /** Draw an arrow, or a circle where both are one; or take it away. */
  mark: (from: Key, to: Key) => void;
}

export function Squares({ label, pieces, side, choices, chosen, early, ahead, choose, cancel, mark }: Props) {
  const { at: last, board, go } = useRoving<HTMLDivElement>();
  const marking = useMarking<Key>();
  const king = side === "white" ? 60 : 59; // where it begins, counted from the top left
  const at = last === null ? king : Number(last);
  const press = (key: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[key.key];
    const to = at + (by ?? 0);
    const marked = marking(key, keyAt(at, side));
    if (marked) mark(...marked);
    else if (key.key === "m") announce(`Mark from ${keyAt(at, side)}: M once more for a circle, or where an arrow is to end.`);
    else if (key.key === "Escape" && (chosen !== null || ahead.length > 0)) cancel();
    else if (by === undefined) return;
    else if (to >= 0 && to < 64 && (Math.abs(by) === 8 || to >> 3 === at >> 3)) go(to);
    key.preventDefault();
    key.stopPropagation();
  };
  const targets = chosen === null ? [] : (choices.dests.get(chosen as Key) ?? choices.drops.get(chosen) ?? []);
  return (
    <div {...board} class="chess-squares" role="group" aria-label={label} onKeyDown={press}>
      {Array.from({ length: 64 }, (_, i) => {
        const key = keyAt(i, side);
        const piece = pieces.get(key);
        const target = targets.includes(key);
        const may = target || choices.dests.has(key) || (early !== null && (piece?.color === early || chosen !== null));
        const what = piece ? `${piece.color} ${piece.role}` : "empty";
        const state = ahead.includes(key) ? ", for your next turn" : key === chosen ? ", chosen" : target ? ", can be moved to" : may ? ", can move" : "";
        return (
          <button type="button" key={key} data-cell={i} data-key={key} tabIndex={i === at ? 0 : -1} aria-disabled={!may} aria-label={`${key}, ${what}${state}`} onClick={() => choose(key)} />
        );
      })}
    </div>
  );
}

function keyAt(i: number, side: Color): Key {
  const [column, row] = side === "white" ? [i % 8, 7 - (i >> 3)] : [7 - (i % 8), i >> 3];
  return `${String.fromCharCode(97 + column)}${row + 1}` as Key;
}
