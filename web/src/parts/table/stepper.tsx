// Back and forth through a game: buttons, a slider, the arrow keys, and the way back to now.

import { useEffect } from "preact/hooks";
import { announce, tell } from "../../announce";
import { state } from "../../line";
import { go, query } from "../../route";
import type { TableLine } from "../../wire";
import { count, eventOf } from "../../words";
import { useFocusKept } from "../focus";
import type { Cursor } from "./cursor";
import { kitFor, movesUpTo, sayStep } from "./story";

interface Props {
  cursor: Cursor;
  line: TableLine;
}

const LINK = "M6.5 9.5a2.5 2.5 0 0 0 3.5 0l2.5-2.5a2.5 2.5 0 0 0-3.5-3.5L8 4.5l1 1 1-1a1.1 1.1 0 0 1 1.5 1.5L9 8.5a1.1 1.1 0 0 1-1.5 0zM9.5 6.5a2.5 2.5 0 0 0-3.5 0L3.5 9a2.5 2.5 0 0 0 3.5 3.5l1-1-1-1-1 1A1.1 1.1 0 0 1 4.5 10L7 7.5a1.1 1.1 0 0 1 1.5 0z";

const FLIP = "M4 2l3 3.5H5V12H3V5.5H1zM12 14l-3-3.5h2V4h2v6.5h2z";

/** Where one is, in words. */
function placeOf({ cursor, line }: Props, index: number): string {
  const steps = cursor.steps.peek();
  const event = steps[index]?.event;
  if (!event) return "Not begun";
  const said = eventOf(event, line.seats, sayStep(kitFor(line.variant), steps, index));
  return `Move ${movesUpTo(steps, index)} of ${movesUpTo(steps, steps.length)}: ${said}`;
}

/** Go there by hand: playback stops, and it is said where one is. */
export function stepTo({ cursor, line }: Props, index: number): void {
  if (cursor.playing.peek()) cursor.pause();
  cursor.go(index);
  // An address that opens at a moment is not true any more.
  if (query.peek().has("at")) go(`/tables/${cursor.table.id}`, true);
  announce(placeOf({ cursor, line }, cursor.index.peek()));
}

export function Stepper(props: Props) {
  const { cursor, line } = props;
  const steps = cursor.steps.value;
  const index = cursor.index.value;
  const last = steps.length - 1;
  const to = (where: number) => stepTo(props, where);
  useKeys(props);
  const place = useFocusKept<HTMLDivElement>();
  const live = cursor.live.value;
  const missed = cursor.missed.value;
  return (
    <div ref={place} class="stepper" role="group" aria-label="Step through the game">
      <Step name="First" sign="M3 3h2v10H3zM13 3v10L6 8z" off={index <= 0} go={() => to(0)} />
      <Step name="Back" sign="M11 3v10L4 8z" off={index <= 0} go={() => to(index - 1)} />
      <input
        type="range"
        data-rest
        min={0}
        max={Math.max(1, last)}
        value={Math.max(0, index)}
        disabled={last < 1}
        aria-label="Position in the game"
        aria-valuetext={placeOf(props, index)}
        onInput={(e) => to(Number(e.currentTarget.value))}
      />
      <Step name="Forward" sign="M5 3v10l7-5z" off={index >= last} go={() => to(index + 1)} />
      <Step name="Last" sign="M3 3v10l7-5zM11 3h2v10h-2z" off={index >= last} go={() => to(last)} />
      <Step name="Copy link to this position" sign={LINK} off={index < 0} go={() => void copy(`${location.origin}/tables/${cursor.table.id}?at=${cursor.moment.peek()?.n ?? 0}`, "The link to this position")} />
      {kitFor(line.variant)?.flips && <Step name="Flip the board" sign={FLIP} off={false} go={() => (cursor.flipped.value = !cursor.flipped.peek())} />}
      <span class="stepper-where">
        {line.status === "playing" ? (
          live ? (
            state.value === "up" ? <span class="badge badge-live">● live</span> : <span class="badge badge-away">no line</span>
          ) : (
            <button type="button" class="main stepper-live" onClick={() => to(last)}>
              Live{missed > 0 && ` · ${count(missed, "new move")}`}
            </button>
          )
        ) : (
          <span class="faint">
            {movesUpTo(steps, index)} / {movesUpTo(steps, last)}
          </span>
        )}
      </span>
    </div>
  );
}

function Step({ name, sign, off, go: act }: { name: string; sign: string; off: boolean; go: () => void }) {
  // Not `disabled`: the focus would be lost at either end.
  return (
    <button type="button" class="quiet" aria-label={name} title={name} aria-disabled={off} onClick={() => !off && act()}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={sign} />
      </svg>
    </button>
  );
}

/** Arrows, Home and End, unless something else on the page listens to them. */
function useKeys(props: Props): void {
  useEffect(() => {
    const press = (key: KeyboardEvent) => {
      if (key.defaultPrevented || key.altKey || key.ctrlKey || key.metaKey || key.shiftKey) return;
      const target = key.target as Element | null;
      if (target?.closest("input, select, textarea, dialog, .place, .talk-log, [contenteditable]")) return;
      const index = props.cursor.index.peek();
      const last = props.cursor.steps.peek().length - 1;
      const wanted = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[key.key];
      if (wanted === undefined || last < 1) return;
      key.preventDefault();
      if (wanted >= 0 && wanted <= last && wanted !== index) stepTo(props, wanted);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [props.cursor, props.line]);
}

/** Copy this, and say so; where the browser will not, show it to be copied by hand. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${what} was copied.`);
  } catch {
    tell(`${what}: ${text}`);
  }
}
