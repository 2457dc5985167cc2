// Following a pointer that drags something over a drawing.

interface Follower {
  moved: (x: number, y: number) => void;
  dropped: (x: number, y: number) => void;
}

/** Tell where the pointer goes until it is let go, in the drawing's lengths. A mere click moves nothing. */
export function follow(svg: SVGSVGElement, start: PointerEvent, { moved, dropped }: Follower): void {
  let far = false;
  const point = (event: PointerEvent) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
  const move = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    far ||= Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 6;
    const { x, y } = point(event);
    if (far) moved(x, y);
  };
  const end = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    const { x, y } = point(event);
    if (far) dropped(event.type === "pointerup" ? x : Number.NaN, y);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
