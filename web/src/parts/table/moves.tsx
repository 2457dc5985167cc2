// The moves so far, each a button to that moment. One is in the tab order: the arrow keys of the
// page go from move to move.

import { useEffect, useRef } from "preact/hooks";
import type { TableLine } from "../../wire";
import { eventOf, spanOf, whoOf } from "../../words";
import type { Cursor } from "./cursor";
import type { Pass } from "./passes";
import { stepTo } from "./stepper";
import { briefStep, kitFor, rowsOf, sayStep } from "./story";

interface Props {
  cursor: Cursor;
  line: TableLine;
}

export function Moves({ cursor, line }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const steps = cursor.steps.value;
  const index = cursor.index.value;
  useEffect(() => {
    // Only the list is scrolled, never the page.
    const [inside, at] = [list.current, list.current?.querySelector<HTMLElement>("[aria-current]")];
    if (!inside || !at) return;
    const top = at.offsetTop; // the list is what it is placed by
    if (top < inside.scrollTop) inside.scrollTop = top - 8;
    else if (top + at.offsetHeight > inside.scrollTop + inside.clientHeight) inside.scrollTop = top + at.offsetHeight - inside.clientHeight + 8;
  }, [index, steps.length]);

  const kit = kitFor(line.variant);
  const button = (step: number, text: string, spoken: string, spent = 0) => (
    <button
      type="button"
      class="move"
      aria-current={step === index ? "step" : undefined}
      aria-label={spoken}
      tabIndex={step === Math.max(0, index) ? 0 : -1}
      onClick={() => stepTo({ cursor, line }, step)}
    >
      <span>{text}</span>
      {spent > 0 && <small class="faint">{spanOf(spent)}</small>}
    </button>
  );
  const move = (step: number, name: boolean, timed = true) => {
    const event = steps[step]?.event;
    if (event?.type !== "played") return null;
    const said = sayStep(kit, steps, step) || "moved";
    const who = whoOf(line.seats[event.seat]);
    const brief = briefStep(kit, steps, step) || "moved";
    return button(step, name ? `${who}: ${brief}` : brief, `${who}: ${said}, after ${spanOf(event.spent)}`, timed ? event.spent : 0);
  };
  const other = (step: number) => {
    const { event } = steps[step]!;
    const said = event.type === "ended" ? "The end." : eventOf(event, line.seats, ""); // how, the result says
    return (
      <li key={`o${step}`} class="moves-other">
        {button(step, said, said)}
      </li>
    );
  };
  const pair = line.seats.length === 2;
  const began = kit?.boards && steps[0]?.event.type === "started"; // before the boards, not after them
  return (
    <section class="card moves" aria-labelledby="moves-title">
      <h2 id="moves-title">Moves</h2>
      <ol ref={list} class={pair ? "moves-list moves-pair" : "moves-list"}>
        {steps.length === 0 && <li class="faint">They are listed here once the game begins.</li>}
        {began && other(0)}
        {kit?.boards ? (
          <li>
            <div class="moves-boards">
              {kit.boards.map((seats, board) => (
                <div key={board} role="group" aria-label={`Moves on board ${board + 1}`}>
                  <h3>Board {board + 1}</h3>
                  <ol class="moves-pair">
                    {rowsOf(steps, line.seats.length, seats).map((row) => (
                      <li key={row.number} class="moves-row">
                        <span class="moves-number faint" aria-hidden="true">
                          {row.number}.
                        </span>
                        {seats.map((seat) => {
                          const step = row.moves[seat] ?? null;
                          return <span key={seat}>{step !== null && move(step, false, false)}</span>;
                        })}
                      </li>
                    ))}
                  </ol>
                </div>
              ))}
            </div>
          </li>
        ) : null}
        {rowsOf(steps, line.seats.length).map((row) => {
          if (kit?.boards && (row.other === null || (began && row.other === 0))) return null;
          if (row.other !== null) return other(row.other);
          return (
            <li key={`m${row.number}`} class="moves-row">
              <span class="moves-number faint" aria-hidden="true">
                {row.number}.
              </span>
              {row.moves.map((step, seat) => {
                const pass = row.passes.find((one) => one.seat === seat);
                if (step !== null) return <span key={seat}>{move(step, !pair)}</span>;
                if (pass) return <Passed key={seat} pass={pass} name={pair ? "" : whoOf(line.seats[seat])} />;
                return pair && <span key={seat} />;
              })}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Where a move would stand, had there been one. */
function Passed({ pass, name }: { pass: Pass; name: string }) {
  const words = pass.forGood ? "no more moves" : "passes";
  return <span class="moves-pass faint">{name ? `${name}: ${words}` : words}</span>;
}
