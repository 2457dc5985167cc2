// How many look on at a table.

import { useState } from "preact/hooks";
import { get } from "../../api";
import { withCode } from "../../codes";
import { state } from "../../line";
import { useEvery } from "../page";

const EVERY = 8000; // milliseconds; nobody is told when others come to look on

export function LookingOn({ table }: { table: number }) {
  const [count, setCount] = useState(0);
  const look = () =>
    get<{ onlookers: { count: number } | null }>(withCode(`/api/tables/${table}`, table)).then(
      ({ onlookers }) => setCount(onlookers?.count ?? 0),
      () => undefined,
    );
  useEvery(EVERY, () => void look(), state.value === "up");
  if (count === 0) return null;
  return <p class="faint onlookers">{count === 1 ? "1 looks on" : `${count} look on`}</p>;
}
