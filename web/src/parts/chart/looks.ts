// How the series of a chart are told apart: by colour, and by dash, shape and filling as well.

export const COLOURS = 6;
export const DASHES: readonly number[][] = [[], [8, 5], [2, 4], [12, 4, 2, 4], [5, 3], [14, 5]];
export const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "ring"] as const;
export type Shape = (typeof SHAPES)[number];

export function dashOf(index: number): number[] {
  return DASHES[(index + Math.floor(index / COLOURS)) % DASHES.length] ?? [];
}

export function shapeOf(index: number): Shape {
  return SHAPES[index % SHAPES.length] ?? "circle";
}

/** The variable in the style sheet that has the colour: a seat's own, or the next. */
export function colourOf(index: number, paint?: string): string {
  return paint ? `--seat-${paint}` : `--chart-${(index % COLOURS) + 1}`;
}

/** A shape around a point, as an SVG path, which canvases draw too. */
export function outline(shape: Shape, x: number, y: number, r: number): string {
  const a = r * 0.9;
  const b = r * 1.25;
  switch (shape) {
    case "square":
      return `M${x - a} ${y - a}h${2 * a}v${2 * a}h${-2 * a}Z`;
    case "triangle":
      return `M${x} ${y - b}L${x + b} ${y + a}L${x - b} ${y + a}Z`;
    case "diamond":
      return `M${x} ${y - b}L${x + b} ${y}L${x} ${y + b}L${x - b} ${y}Z`;
    case "cross":
      return `M${x - a} ${y - a}L${x + a} ${y + a}M${x + a} ${y - a}L${x - a} ${y + a}`;
    case "circle":
    case "ring":
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
}

/** Whether the shape is filled with its colour or only drawn around. */
export function filled(shape: Shape): boolean {
  return shape !== "ring" && shape !== "cross";
}

/** How bars are filled, by series. */
export type Filling = "full" | "hollow" | "hatched" | "crossed";
const FILLINGS: readonly Filling[] = ["full", "hollow", "hatched", "crossed"];

export function fillingOf(index: number): Filling {
  return FILLINGS[index % FILLINGS.length] ?? "full";
}

/** The strokes of a filling, in a tile of 6 by 6. */
export function strokesOf(filling: Filling): string {
  if (filling === "hatched") return "M-1 7L7 -1";
  return filling === "crossed" ? "M-1 7L7 -1M-1 -1L7 7" : "";
}
