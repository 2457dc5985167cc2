// A move taken back, where the table allows it and both agree: to ask, or to answer, in one place.

import type { Table } from "../../tables";
import type { TableLine } from "../../wire";
import { whoOf } from "../../words";
import { Act } from "./act";
import { lastOf, stepsOf, takebackOf } from "./story";

interface Props {
  table: Table;
  seat: number;
}

/** Whether moves may be taken back here. */
export function mayTakeBack(table: Table): boolean {
  return lastOf(table.moments.value, "opened")?.takebacks ?? false;
}

/** Who asks for a move back, where it is not for me to wait. */
export function whoAsks(table: Table, seat: number): number | null {
  const { open } = takebackOf(table.moments.value);
  return open === seat ? null : open;
}

/** How it stands with it, where anybody has asked; empty where nobody has. */
export function sayTakeback(table: Table, line: TableLine, seat: number): string {
  const { open, asked } = takebackOf(table.moments.value);
  if (open === seat) return "You have asked for your move back.";
  if (open !== null) return `${whoOf(line.seats[open])} asks to take the last move back.`;
  return asked.has(seat) ? "Declined. You may ask again after the next move." : "";
}

export function TakeBack({ table, seat }: Props) {
  const { open, asked } = takebackOf(table.moments.value);
  if (open !== null && open !== seat) {
    return (
      <>
        <Act table={table} type="take_back" text="Give it back" main />
        <Act table={table} type="decline_take_back" text="No" />
      </>
    );
  }
  const moved = stepsOf(table.moments.value).some(({ event }) => event.type === "played" && event.seat === seat);
  const why = open === seat ? "You have asked already." : asked.has(seat) ? "You may ask again after the next move." : moved ? "" : "You have made no move yet.";
  return <Act table={table} type="take_back" text="Take back" not={why} />;
}
