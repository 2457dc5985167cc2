// "Play d3?", and what was chosen for the next turn. Asked in the place of the steps under the board, so that nothing moves or is covered.

import { useEffect, useRef } from "preact/hooks";
import type { TableLine } from "../../wire";
import type { Cursor } from "./cursor";
import { kitFor } from "./story";

export function Confirm({ cursor, line }: { cursor: Cursor; line: TableLine }) {
  const { table } = cursor;
  const { underway } = table;
  const yes = useRef<HTMLButtonElement>(null);
  const asking = underway.asking.value;
  useEffect(() => {
    if (asking) yes.current?.focus({ preventScroll: true });
  }, [asking]);
  const move = underway.move.value;
  const { kept } = table.premove;
  const chosen = table.premove.move.value;
  const next = chosen === null ? (kept.value?.words || null) : (kitFor(line.variant)?.say(chosen, table.view.peek()) ?? chosen);
  useEffect(() => {
    // A click on a board does not always leave the focus there.
    const press = (key: KeyboardEvent) => key.key === "Escape" && !isElsewhere(key.target) && table.premove.drop();
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [table]);
  if (next !== null) {
    return (
      <div class="confirm" role="group" aria-label="Your next move">
        <span class="confirm-move">Next: {next}</span>
        <button type="button" onClick={() => table.premove.drop()}>
          Not that
        </button>
      </div>
    );
  }
  if (!asking || move === null) return null;
  const said = kitFor(line.variant)?.say(move, table.view.peek()) ?? move;
  return (
    <div class="confirm" role="group" aria-label="Is this your move?" onKeyDown={(key) => key.key === "Escape" && underway.decide(false)}>
      <span class="confirm-move">{said}</span>
      <button ref={yes} type="button" class="main" onClick={() => underway.decide(true)}>
        Play it
      </button>
      <button type="button" onClick={() => underway.decide(false)}>
        Back
      </button>
    </div>
  );
}

/** Whether a key that is pressed here is for something else: a dialog, or what is being typed. */
function isElsewhere(place: EventTarget | null): boolean {
  return place instanceof Element && place.closest("dialog, [role=dialog], input, select, textarea") !== null;
}
