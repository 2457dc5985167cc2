// A table that is watched as long as a part of the page shows it.

import { useEffect, useState } from "preact/hooks";
import { type Table, drop, hold } from "../tables";

export function useTable(id: number): Table | null {
  const [table, setTable] = useState<Table | null>(null);
  useEffect(() => {
    const held = hold(id);
    setTable(held);
    return () => drop(held);
  }, [id]);
  return table;
}
