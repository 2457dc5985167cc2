// A button that asks one thing of a table.

import { complain, tell } from "../../announce";
import { ask, state } from "../../line";
import type { Table } from "../../tables";
import { useBusy } from "../busy";

interface ActProps {
  table: Table;
  type: string;
  text: string;
  main?: boolean;
  more?: object;
  /** Why it cannot be done just now; empty where it can. Who tries is told. */
  not?: string;
}

/** A button that asks one thing of the table; where it is off, or on its way, it keeps the focus. */
export function Act({ table, type, text, main = false, more = {}, not = "" }: ActProps) {
  const [sending, during] = useBusy();
  const off = sending || not !== "" || state.value !== "up";
  const act = () => {
    if (not) tell(not);
    if (off) return;
    during(ask({ type, table: table.id, ...more })).catch(complain);
  };
  return (
    <button type="button" class={main ? "main" : ""} aria-disabled={off} aria-busy={sending} title={not || undefined} onClick={act}>
      {text}
    </button>
  );
}
