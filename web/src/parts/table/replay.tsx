// A finished game again: played as it was or faster, with charts of time and score to go by.

import { useEffect, useMemo } from "preact/hooks";
import { withCode } from "../../codes";
import type { Moment, TableLine } from "../../wire";
import { whoOf } from "../../words";
import { seatColour } from "../../boards";
import { Chart } from "../chart";
import { type Cursor, SPEEDS } from "./cursor";
import { stepTo } from "./stepper";
import { kitFor } from "./story";

interface Props {
  cursor: Cursor;
  line: TableLine;
}

export function Replay({ cursor, line }: Props) {
  usePlayback(cursor);
  const playing = cursor.playing.value;
  const speed = cursor.speed.value;
  const skip = cursor.skip.value;
  return (
    <section class="card replay" aria-labelledby="replay-title">
      <h2 id="replay-title">Replay</h2>
      <div class="replay-row">
        <button type="button" class="main replay-play" disabled={cursor.steps.value.length < 2} onClick={() => (playing ? cursor.pause() : cursor.play())}>
          {playing ? "Pause" : "Play"}
        </button>
        <fieldset class="replay-speeds">
          <legend class="unseen">Speed</legend>
          {SPEEDS.map((one) => (
            <label key={one}>
              <input type="radio" name="speed" checked={one === speed} onChange={() => cursor.pace(one, skip)} />
              <span>{one}×</span>
            </label>
          ))}
        </fieldset>
        <label class="replay-skip">
          <input type="checkbox" checked={skip} onChange={(e) => cursor.pace(speed, e.currentTarget.checked)} />
          Skip waits
        </label>
        <a class="button" href={withCode(`/api/tables/${cursor.table.id}/file`, cursor.table.id)} download>
          Download the log
        </a>
      </div>
      <Charts cursor={cursor} line={line} />
    </section>
  );
}

/** While it plays, go on to the next step when its time has come. */
function usePlayback(cursor: Cursor): void {
  const playing = cursor.playing.value;
  const index = cursor.index.value;
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => cursor.step(1), cursor.rest());
    return () => clearTimeout(timer);
  }, [playing, index, cursor.speed.value, cursor.skip.value]);
}

function Charts({ cursor, line }: Props) {
  const steps = cursor.steps.value;
  const index = cursor.index.value;
  const kit = kitFor(line.variant);
  const charts = useMemo(() => {
    const moves = steps.flatMap((step, i) => (step.event.type === "played" ? [i] : []));
    const names = namesOf(line);
    const colours = line.seats.map((_, seat) => seatColour(line.variant, seat));
    const colourful = !colours.includes("") && new Set(colours).size === colours.length;
    const paint = (seat: number) => (colourful ? { paint: seatColour(line.variant, seat) } : {});
    const think = names.map((name, seat) => ({ name, ...paint(seat), values: moves.map((i) => spentBy(steps[i], seat)) }));
    const stands = [Math.max(0, (moves[0] ?? 1) - 1), ...moves];
    const scores = stands.map((i) => (steps[i]?.view && kit ? kit.scores(steps[i].view) : null));
    const score = scores.some((one) => one) ? names.map((name, seat) => ({ name, ...paint(seat), values: scores.map((one) => one?.[seat] ?? null) })) : null;
    return { moves, think, stands, score, numbers: moves.map((_, i) => i + 1), counts: stands.map((_, i) => i) };
  }, [steps, kit, line.table]);
  if (charts.moves.length < 2) return null;
  return (
    <div class="replay-charts">
      <Chart
        title="Time to think"
        kind="bars"
        x={charts.numbers}
        series={charts.think}
        unit="seconds"
        along="Move"
        at={mark(charts.moves, index)}
        pick={(i) => stepTo({ cursor, line }, charts.moves[i] ?? 0)}
      />
      {charts.score && (
        <Chart
          title="Score"
          kind="lines"
          x={charts.counts}
          series={charts.score}
          unit={kit?.unit ?? ""}
          along="Move"
          at={mark(charts.stands, index)}
          pick={(i) => stepTo({ cursor, line }, charts.stands[i] ?? 0)}
        />
      )}
    </div>
  );
}

/** Which of these steps is the last up to where one looks. */
function mark(places: readonly number[], index: number): number | null {
  const found = places.findLastIndex((place) => place <= index);
  return found < 0 ? null : found;
}

function spentBy(step: Moment | undefined, seat: number): number | null {
  return step?.event.type === "played" && step.event.seat === seat ? step.event.spent / 1e6 : null;
}

/** Who plays, told apart where two have one name. */
function namesOf(line: TableLine): string[] {
  const names = line.seats.map(whoOf);
  return names.map((name, i) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${line.seats[i]?.name})`));
}
