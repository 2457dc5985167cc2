// Who rose and who fell since the standing last changed its order.

import type { StandingRow } from "../../wire";

export type Order = readonly number[];

export function orderOf(rows: readonly StandingRow[]): Order {
  return rows.map(({ entrant }) => entrant);
}

/** By how many rows each has risen (or fallen, below zero); those who stayed are left out. */
export function moved(before: Order, after: Order): ReadonlyMap<number, number> {
  const was = new Map(before.map((entrant, row) => [entrant, row]));
  return new Map(
    after.flatMap((entrant, row): [number, number][] => {
      const by = (was.get(entrant) ?? row) - row;
      return by === 0 ? [] : [[entrant, by]];
    }),
  );
}

/** Those on the podium: the rows of the first three places, all who share one among them. */
export function podium<R extends { place: number }>(rows: readonly R[]): { place: number; rows: R[] }[] {
  return [1, 2, 3].map((place) => ({ place, rows: rows.filter((row) => row.place === place) })).filter((step) => step.rows.length > 0);
}
