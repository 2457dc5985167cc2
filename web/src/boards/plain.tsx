// A game whose board nobody has drawn yet: its view as text, and its moves as buttons.

import type { View } from "../wire";
import type { BoardProps, Kit } from "./kit";

const SHOWN = 200; // moves; more are nobody's to choose from

function Board({ view, moves, play, small }: BoardProps) {
  return (
    <div class="board-plain">
      <pre tabIndex={small ? undefined : 0} aria-label="The board, as text">
        {textOf(view)}
      </pre>
      {!small && moves.length > 0 && (
        <div class="plain-moves" role="group" aria-label="What you may play">
          {moves.slice(0, SHOWN).map((move) => (
            <button type="button" key={move} onClick={() => play(move)}>
              {move}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Rows of text as they are, and the rest a field a line. */
function textOf(view: View): string {
  const { type: _, ...fields } = view as View & Record<string, unknown>;
  return Object.entries(fields)
    .map(([name, value]) => (isRows(value) ? value.join("\n") : `${name}: ${JSON.stringify(value)}`))
    .join("\n");
}

function isRows(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === "string");
}

export const plain: Kit = {
  Board,
  say: (move) => move,
  describe: textOf,
  scores: () => null,
  unit: "",
  ratio: () => 1,
};
