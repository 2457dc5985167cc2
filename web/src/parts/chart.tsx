// A chart of a few lines or bars over numbered steps, for whoever sees it, and as a table of
// numbers for everybody else. The library that draws is loaded with the first chart; its place is
// kept so long. Series differ by dash, shape or filling beside their colour.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Plot } from "./chart/plot";
import { Swatch } from "./chart/swatch";

export interface Series {
  name: string;
  values: readonly (number | null)[];
  /** The colour of a seat, where it has one. */
  paint?: string;
}

interface Props {
  title: string;
  kind: "lines" | "bars";
  x: readonly number[];
  series: readonly Series[];
  /** What the values count: `discs`. */
  unit: string;
  /** What the steps are: `Move`, `Round`. */
  along?: string;
  /** What each step is called, where that is more than its number. */
  labels?: readonly string[];
  /** Which step is marked. */
  at?: number | null;
  pick?: (index: number) => void;
}

export function Chart({ title, kind, x, series, unit, along = "Step", labels, at = null, pick }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const latest = useRef({ x, series, at, pick });
  latest.current = { x, series, at, pick };
  const names = series.map((one) => one.name).join("\n");
  const empty = x.length === 0 || series.length === 0;

  useEffect(() => {
    const inside = place.current;
    if (!inside || empty) return;
    let wanted = true;
    void import("./chart/plot").then(({ draw }) => {
      if (!wanted) return;
      plot.current = draw(inside, kind, latest.current.x, latest.current.series, {
        at: latest.current.at,
        pick: (index) => latest.current.pick?.(index),
        over: setOver,
      });
    });
    return () => {
      wanted = false;
      plot.current?.end();
      plot.current = null;
    };
  }, [kind, names, empty]);
  useEffect(() => plot.current?.fill(x, series), [x, series]);
  useEffect(() => plot.current?.mark(at), [at]);

  const shown = over ?? at;
  const called = (index: number) => labels?.[index] ?? String(x[index] ?? "");
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        <span class="chart-unit">
          {unit}
          {shown !== null && shown < x.length && ` · ${along.toLowerCase()} ${called(shown)}`}
        </span>
      </figcaption>
      <div class={pick ? "chart-plot chart-pick" : "chart-plot"} role="img" aria-label={`${title}: ${labelOf(series, unit)}`}>
        {empty && <p class="chart-none">Nothing to draw yet.</p>}
        <div ref={place} />
      </div>
      <ul class="chart-legend">
        {series.map((one, i) => (
          <li key={i}>
            <Swatch kind={kind} index={i} paint={one.paint} />
            {one.name}
            <span class="chart-value">{valueOf(one.values[shown ?? x.length - 1])}</span>
          </li>
        ))}
      </ul>
      <Numbers title={title} along={along} called={called} x={x} series={series} />
    </figure>
  );
}

/** The same as a table, made only when it is opened. */
function Numbers({ title, along, called, x, series }: { title: string; along: string; called: (index: number) => string; x: readonly number[]; series: readonly Series[] }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="chart-numbers" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>The numbers</summary>
      {open && (
        <div class="scroll" tabIndex={0} role="group" aria-label={`${title}, as numbers`}>
          <table aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{along}</th>
                {series.map((one, s) => (
                  <th key={s} scope="col" class="number">
                    {one.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {x.map((_, i) => (
                <tr key={i}>
                  <th scope="row">{called(i)}</th>
                  {series.map((one, s) => (
                    <td key={s} class="number">
                      {valueOf(one.values[i])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

/** Who had what at the end, in a sentence. */
function labelOf(series: readonly Series[], unit: string): string {
  const last = series.map((one) => `${one.name} ${valueOf(one.values.findLast((value) => value !== null))}`);
  return last.length > 0 ? `at last ${last.join(", ")} (${unit})` : "nothing yet";
}

function valueOf(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? String(value) : String(Math.round(value * 100) / 100);
}
