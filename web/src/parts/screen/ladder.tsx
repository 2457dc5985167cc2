// The standing for a room: few columns, large, and rows that are seen to move when it changes.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { TourShown } from "../../wire";
import type { Row } from "../tour/live";
import { Mark } from "../tour/mark";
import { type Names, nameOf } from "../tour/names";
import { halves } from "../tour/score";
import { moved, type Order, orderOf } from "./ranks";

const MOST = 14; // rows that a room can read
const GLIDE = 900; // milliseconds in which a row moves to its new place

export function Ladder({ shown, names }: { shown: TourShown; names: Names }) {
  const rows = shown.standing as Row[];
  const risen = useMoved(orderOf(rows));
  const list = useGliding();
  return (
    <ol class="ladder" ref={list}>
      {rows.slice(0, MOST).map((row) => (
        <li key={row.entrant} data-key={row.entrant} class={row.out ? "is-out" : ""}>
          <span class="ladder-place">{row.place}</span>
          <span class="ladder-name">{nameOf(names, row.entrant)}</span>
          <Mark row={row} away={false} />
          <Way by={risen.get(row.entrant) ?? 0} />
          <span class="ladder-points">{halves(row.points)}</span>
        </li>
      ))}
      {rows.length > MOST && <li class="ladder-more">and {rows.length - MOST} more</li>}
    </ol>
  );
}

function Way({ by }: { by: number }) {
  if (by === 0) return <span class="ladder-way" />;
  return (
    <span class={by > 0 ? "ladder-way rose" : "ladder-way fell"} role="img" aria-label={by > 0 ? `up ${by}` : `down ${-by}`}>
      {by > 0 ? `▲${by}` : `▼${-by}`}
    </span>
  );
}

/** Who moved when the order last changed. */
function useMoved(order: Order): ReadonlyMap<number, number> {
  const last = useRef<{ order: Order; moved: ReadonlyMap<number, number> }>({ order, moved: new Map() });
  if (last.current.order.join() !== order.join()) last.current = { order, moved: moved(last.current.order, order) };
  return last.current.moved;
}

/** Let the rows of a list glide from where they were. */
function useGliding() {
  const list = useRef<HTMLOListElement>(null);
  const tops = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const now = new Map<string, number>();
    for (const row of list.current?.querySelectorAll<HTMLElement>("[data-key]") ?? []) {
      const key = row.dataset.key ?? "";
      const before = tops.current.get(key);
      now.set(key, row.offsetTop);
      if (!still && before !== undefined && before !== row.offsetTop) {
        row.animate([{ transform: `translateY(${before - row.offsetTop}px)` }, { transform: "none" }], { duration: GLIDE, easing: "ease-in-out" });
      }
    }
    tops.current = now;
  });
  return list;
}
