// A table whose players left before its game began, and how to open another just like it.

import { complain } from "../../announce";
import { ask } from "../../line";
import { go } from "../../route";
import type { Table } from "../../tables";
import type { TableLine } from "../../wire";
import { asPlayer } from "../me";
import { Title } from "../page";

export function Closed({ table, line }: { table: Table; line: TableLine }) {
  const again = () =>
    asPlayer(() => {
      ask<{ type: string; table: number }>({ type: "open", variant: line.variant, seats: line.seats.length, time: line.time, policy: table.policy.peek() ?? {} }).then(
        ({ table: next }) => go(`/tables/${next}`),
        complain,
      );
    });
  return (
    <section class="sorry">
      <Title text={`Table ${table.id} is closed`} />
      <p>Everybody left before its game began. Whoever loads the page anew, or loses the connection, while waiting for others gives up the seat too.</p>
      <p class="acts-row closed-acts">
        <button type="button" class="main" onClick={again}>
          Open one like it
        </button>
        <a class="button" href="/">
          To the lobby
        </a>
      </p>
    </section>
  );
}
