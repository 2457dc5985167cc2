// Draws a chart into a place: uPlot does the work, this says how it looks. Colours are those of
// the style sheet, read anew when the scheme changes; the size is that of the place.

import uPlot from "uplot";
import { colourOf, dashOf, filled, fillingOf, outline, shapeOf, strokesOf } from "./looks";
import type { Series } from "../chart";

export interface Plot {
  fill(x: readonly number[], series: readonly Series[]): void;
  mark(index: number | null): void;
  end(): void;
}

interface Wishes {
  at: number | null;
  pick: (index: number) => void;
  over: (index: number | null) => void;
}

const HEIGHT = 220; // pixels; the style sheet keeps as many
const SHAPED = 48; // with more points than this, only some have their shape
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

export function draw(place: HTMLElement, kind: "lines" | "bars", x: readonly number[], series: readonly Series[], wishes: Wishes): Plot {
  let at = wishes.at;
  let paint = colours(place, series);
  const made = new uPlot(
    {
      width: Math.max(80, place.clientWidth),
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: { x: { time: false, range: (u) => along(kind, u.data[0]) }, y: { range: (_, low, high) => upward(kind, low, high) } },
      axes: [
        { ...axis(() => paint), incrs: STEPS, grid: { show: false }, size: 34 },
        { ...axis(() => paint), size: 48 },
      ],
      series: [{}, ...series.map((one, i) => (kind === "bars" ? bars(one, i, () => paint) : lines(one, i, () => paint)))],
      hooks: {
        drawClear: [(u) => marker(u, at, paint.ink)],
        draw: [(u) => kind === "lines" && shapes(u, paint)],
        setCursor: [(u) => wishes.over(u.cursor.left !== undefined && u.cursor.left >= 0 ? (u.cursor.idx ?? null) : null)],
      },
    },
    rows(x, series),
    place,
  );
  made.over.addEventListener("click", (click) => wishes.pick(made.posToIdx(click.clientX - made.over.getBoundingClientRect().left)));

  const size = new ResizeObserver(() => {
    const width = place.clientWidth;
    if (width >= 80 && width !== made.width) made.setSize({ width, height: HEIGHT });
  });
  size.observe(place);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const repaint = () => {
    paint = colours(place, series);
    made.redraw(true, true);
  };
  scheme.addEventListener("change", repaint);

  return {
    fill: (x, series) => made.setData(rows(x, series)),
    mark: (index) => {
      at = index;
      made.redraw(false, false);
    },
    end: () => {
      size.disconnect();
      scheme.removeEventListener("change", repaint);
      made.destroy();
    },
  };
}

interface Paint {
  ink: string;
  faint: string;
  line: string;
  card: string;
  series: string[];
}

/** The style sheet's colours as a canvas knows them. */
function colours(place: HTMLElement, series: readonly Series[]): Paint {
  const probe = document.createElement("span");
  place.append(probe);
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const paint = { ink: read("--ink"), faint: read("--faint"), line: read("--line"), card: read("--card"), series: series.map((one, i) => read(colourOf(i, one.paint))) };
  probe.remove();
  return paint;
}

function axis(paint: () => Paint): uPlot.Axis {
  return {
    stroke: () => paint().faint,
    font: "12px system-ui, sans-serif",
    grid: { stroke: () => paint().line, width: 1 },
    ticks: { show: false },
  };
}

function lines(one: Series, i: number, paint: () => Paint): uPlot.Series {
  return { label: one.name, width: 2, stroke: () => paint().series[i] ?? "gray", dash: dashOf(i), points: { show: false }, spanGaps: true };
}

function bars(one: Series, i: number, paint: () => Paint): uPlot.Series {
  const path = uPlot.paths.bars?.({ size: [0.8, 28] });
  return {
    label: one.name,
    width: 1,
    stroke: () => paint().series[i] ?? "gray",
    fill: () => filling(i, paint().series[i] ?? "gray"),
    points: { show: false },
    ...(path ? { paths: path } : {}),
  };
}

/** What bars are filled with: a colour, nothing, or strokes of it. */
function filling(index: number, colour: string): string | CanvasPattern {
  const how = fillingOf(index);
  if (how === "full") return colour;
  if (how === "hollow") return "transparent";
  const scale = devicePixelRatio || 1;
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(6 * scale);
  const pen = tile.getContext("2d");
  if (!pen) return colour;
  pen.scale(tile.width / 6, tile.width / 6);
  pen.strokeStyle = colour;
  pen.stroke(new Path2D(strokesOf(how)));
  return pen.createPattern(tile, "repeat") ?? colour;
}

/** From the first step to the last, with room at both ends for whole bars. */
function along(kind: "lines" | "bars", x: ArrayLike<number>): [number, number] {
  const [first, last] = [x[0] ?? 0, x[x.length - 1] ?? 1];
  const room = kind === "bars" ? 0.6 : last > first ? 0.02 * (last - first) : 0.5;
  return [first - room, last + room];
}

/** From nothing, where that is near, to a little more than the most. */
function upward(kind: "lines" | "bars", low: number | null, high: number | null): [number, number] {
  const [least, most] = [low ?? 0, high ?? 1];
  if (kind === "bars") return [Math.min(0, least * 1.08), Math.max(most * 1.08, least < 0 ? 0 : 0.1)];
  if (most > least) {
    const near = { pad: 0.1, soft: 0, mode: 3 as const };
    const [from, to] = uPlot.rangeNum(least, most, { min: near, max: near });
    return [from ?? least, to ?? most];
  }
  const room = Math.max(1, Math.abs(least) * 0.1);
  return [least === 0 ? 0 : least - room, most + room];
}

/** The step one looks at, as a line from top to bottom. */
function marker(u: uPlot, at: number | null, ink: string): void {
  const x = at === null ? undefined : u.data[0][at];
  if (x === undefined) return;
  const left = Math.round(u.valToPos(x, "x", true));
  u.ctx.save();
  u.ctx.strokeStyle = ink;
  u.ctx.lineWidth = 2 * (devicePixelRatio || 1);
  u.ctx.stroke(new Path2D(`M${left} ${u.bbox.top}v${u.bbox.height}`));
  u.ctx.restore();
}

/** Each series' shape on its points, on some of them where there are many. */
function shapes(u: uPlot, paint: Paint): void {
  const scale = devicePixelRatio || 1;
  const many = u.data[0].length;
  const step = Math.ceil(many / SHAPED);
  u.ctx.save();
  u.ctx.lineWidth = 1.5 * scale;
  for (let s = 1; s < u.data.length; s++) {
    const shape = shapeOf(s - 1);
    u.ctx.strokeStyle = paint.series[s - 1] ?? "gray";
    u.ctx.fillStyle = filled(shape) ? u.ctx.strokeStyle : paint.card;
    // Lines that lie on one another show their shapes in turn, where there is room for that.
    const first = step > 1 ? ((s - 1) * 7) % step : 0;
    for (let i = first; i < many; i += step) {
      const [x, y] = [u.data[0][i], u.data[s]?.[i]];
      if (x === undefined || y === null || y === undefined) continue;
      const path = new Path2D(outline(shape, u.valToPos(x, "x", true), u.valToPos(y, "y", true), 3.5 * scale));
      u.ctx.fill(path);
      u.ctx.stroke(path);
    }
  }
  u.ctx.restore();
}

function rows(x: readonly number[], series: readonly Series[]): uPlot.AlignedData {
  return [[...x], ...series.map((one) => [...one.values])];
}
