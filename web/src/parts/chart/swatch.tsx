// A series' mark in the legend: its line and shape, or its bar.

import { colourOf, dashOf, filled, fillingOf, outline, shapeOf, strokesOf } from "./looks";

export function Swatch({ kind, index, paint }: { kind: "lines" | "bars"; index: number; paint?: string | undefined }) {
  const colour = `var(${colourOf(index, paint)})`;
  if (kind === "bars") {
    const filling = fillingOf(index);
    return (
      <svg class="chart-swatch" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <rect x="1" y="1" width="12" height="12" stroke-width="1.5" style={{ stroke: colour, fill: filling === "full" ? colour : "none" }} />
        {[0, 6].map((dx) => [0, 6].map((dy) => <path key={`${dx}${dy}`} transform={`translate(${dx + 1} ${dy + 1})`} d={strokesOf(filling)} style={{ stroke: colour }} />))}
      </svg>
    );
  }
  const shape = shapeOf(index);
  return (
    <svg class="chart-swatch" width="30" height="14" viewBox="0 0 30 14" aria-hidden="true">
      <path d="M0 7H30" stroke-width="2" stroke-dasharray={dashOf(index).join(" ")} style={{ stroke: colour }} />
      <path d={outline(shape, 15, 7, 4)} stroke-width="2" style={{ stroke: colour, fill: filled(shape) ? colour : "var(--card)" }} />
    </svg>
  );
}
