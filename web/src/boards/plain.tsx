// A game that declares no board: its view as text, and its moves as buttons.

import type { View } from "../wire";
import type { BoardProps } from "./kit";
import { Moves } from "./moves";

export function TextView({ view, fields, moves, early, pending, play, small }: BoardProps & { fields: readonly string[] }) {
  return (
    <div class="board-plain">
      <pre tabIndex={small ? undefined : 0} aria-label="The board, as text">
        {plainText(view, fields)}
      </pre>
      {!small && <Moves moves={moves} play={play} early={early} chosen={pending} />}
    </div>
  );
}

/** Rows of text as they are, and the rest a field a line; these fields, or all. */
export function plainText(view: View, fields: readonly string[] = []): string {
  const { type: _, ...all } = view as View & Record<string, unknown>;
  const wanted = fields.length > 0 ? fields.flatMap((name) => (name in all ? [[name, all[name]] as const] : [])) : Object.entries(all);
  return wanted.map(([name, value]) => (isRows(value) ? value.join("\n") : `${name}: ${JSON.stringify(value)}`)).join("\n");
}

function isRows(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === "string");
}
