// Arrows and circles by the right mouse button, as on chess boards: for oneself, to think with.
//
// A press and a release on one cell is a circle, from one to another an arrow; the same once more
// takes it away, and so does a click or the next move. Shift is red, Alt is blue. With the keyboard
// M begins a mark and ends it (`marking.ts`).

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { announce } from "../announce";
import { useMarking } from "./marking";

interface Point {
  x: number;
  y: number;
}

interface Mark {
  from: Point;
  to: Point;
  /** How wide a cell is, which the mark is drawn by. */
  size: number;
  ink: "gold" | "red" | "blue";
}

interface Drawing {
  /** What was drawn; lies over the board. */
  marks: ComponentChildren;
  /** For the board itself. */
  events: { onPointerDown: (event: PointerEvent) => void; onContextMenu: (event: Event) => void; onKeyDownCapture: (event: KeyboardEvent) => void };
}

const RIGHT = 2; // the mouse button

export function useDrawing(ref: RefObject<SVGSVGElement>, position: unknown): Drawing {
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const marking = useMarking<SVGGraphicsElement>();
  const key = useMemo(() => JSON.stringify(position), [position]); // a view may come again as it was
  useEffect(() => setMarks([]), [key]);
  const start = (event: PointerEvent) => {
    if (event.button === 0 && marks.length > 0) setMarks([]);
    const [svg, from] = [ref.current, cellAt(event.target)];
    if (event.button !== RIGHT || !svg || !from) return;
    const ink = event.shiftKey || event.ctrlKey ? "red" : event.altKey ? "blue" : "gold";
    const end = (up: PointerEvent) => {
      if (up.pointerId !== event.pointerId) return;
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      const to = up.type === "pointerup" ? cellAt(document.elementFromPoint(up.clientX, up.clientY)) : null;
      if (to && svg.contains(to)) setMarks((had) => toggled(had, { ...between(svg, from, to), ink }));
    };
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  };
  const keyed = (event: KeyboardEvent) => {
    const [svg, cell] = [ref.current, cellAt(event.target)];
    if (!svg || !cell) return;
    const name = cell.getAttribute("aria-label")?.split(",")[0] ?? "";
    const found = marking(event, cell);
    if (found) {
      const mark: Mark = { ...between(svg, ...found), ink: "gold" };
      setMarks(toggled(marks, mark));
      announce(marks.some((one) => keyOf(one) === keyOf(mark)) ? "The mark is gone." : found[0] === cell ? `A circle at ${name}.` : `An arrow to ${name}.`);
    } else if (event.key === "m") announce(`Mark from ${name}: M once more for a circle, or where an arrow is to end.`);
  };
  return {
    marks: marks.length > 0 && (
      <g class="drawn" aria-hidden="true">
        {marks.map((mark) => (
          <path key={keyOf(mark)} class={`drawn-${mark.ink}`} style={{ strokeWidth: mark.size * 0.1 }} d={pathOf(mark)} />
        ))}
      </g>
    ),
    events: { onPointerDown: start, onContextMenu: (event) => event.preventDefault(), onKeyDownCapture: keyed },
  };
}

function cellAt(target: EventTarget | null): SVGGraphicsElement | null {
  return target instanceof Element ? target.closest<SVGGraphicsElement>("[data-cell]") : null;
}

/** The middles of two cells, in the drawing's lengths. */
function between(svg: SVGSVGElement, from: SVGGraphicsElement, to: SVGGraphicsElement): Omit<Mark, "ink"> {
  const into = svg.getScreenCTM()?.inverse();
  const point = (x: number, y: number) => {
    const found = new DOMPoint(x, y).matrixTransform(into);
    return { x: found.x, y: found.y };
  };
  const middle = (cell: Element) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    return point(left + width / 2, top + height / 2);
  };
  const { left, top, width, height } = from.getBoundingClientRect();
  const [a, b] = [point(left, top), point(left + width, top + height)];
  return { from: middle(from), to: middle(to), size: Math.min(b.x - a.x, b.y - a.y) };
}

function keyOf({ from, to }: Mark): string {
  return [from.x, from.y, to.x, to.y].map((one) => one.toFixed(2)).join();
}

function toggled(marks: readonly Mark[], mark: Mark): Mark[] {
  const others = marks.filter((one) => keyOf(one) !== keyOf(mark));
  const same = marks.find((one) => keyOf(one) === keyOf(mark));
  return same?.ink === mark.ink ? others : [...others, mark];
}

/** A circle around a cell, or an arrow with its head. */
function pathOf({ from, to, size }: Mark): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const far = Math.hypot(dx, dy);
  if (far < size / 10) {
    const r = size * 0.44;
    return `M${from.x - r} ${from.y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  }
  const [ux, uy] = [(dx / far) * size, (dy / far) * size];
  const at = (along: number, aside: number) => `${(to.x - along * ux - aside * uy).toFixed(3)} ${(to.y - along * uy + aside * ux).toFixed(3)}`;
  return `M${from.x + ux * 0.2} ${from.y + uy * 0.2}L${at(0.05, 0)}M${at(0.32, 0.2)}L${at(0.02, 0)}L${at(0.32, -0.2)}`;
}
