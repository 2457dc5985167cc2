// A link to a tour by its name, where only its number is at hand; the name is asked for once.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../../api";
import { standing } from "../../line";
import type { TourLine } from "../../wire";

const names = signal<ReadonlyMap<number, string>>(new Map());
const asked = new Set<number>();

/** `Club evening`, or `tour 3` where it has no name, or until that is known. */
export function TourLink({ tour, badge = false }: { tour: number; badge?: boolean }) {
  const up = standing.value;
  useEffect(() => {
    if (asked.has(tour)) return;
    asked.add(tour);
    get<{ line: TourLine }>(`/api/tours/${tour}`).then(
      ({ line }) => (names.value = new Map(names.value).set(tour, line.name)),
      () => asked.delete(tour), // again when the line is up
    );
  }, [tour, up]);
  return (
    <a class={badge ? "badge badge-tour" : "names"} href={`/tours/${tour}`} title={`Tour ${tour}`}>
      {names.value.get(tour) || `tour ${tour}`}
    </a>
  );
}
