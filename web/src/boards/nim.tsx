// Nim: rows of matches, taken from the right.
//
// Every row is a slider of how many to take: the pointer or the arrow keys choose, a click or Enter
// takes. A finger is too wide for that, so a touch only chooses, and the button below takes.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SeatLine, View } from "../wire";
import { count, whoOf } from "../words";
import type { BoardProps, Kit } from "./kit";
import { room, Sticks } from "./sticks";

interface NimView extends View {
  rows: number[];
  turn: number | null;
  misere: boolean;
}

interface Take {
  row: number;
  take: number;
}

function Board({ view, seat, moves, last, pending, play, small }: BoardProps) {
  const { rows, turn, misere } = view as NimView;
  const [picked, setPicked] = useState<Take | null>(null);
  const [over, setOver] = useState<Take | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const may = moves.length > 0;
  const inside = list.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    // Rows are sliders only on one's turn: the focus stays with them meanwhile.
    if (inside) (list.current?.querySelector<HTMLElement>("[role=slider][tabindex='0']") ?? list.current)?.focus({ preventScroll: true });
  }, [may]);
  const position = rows.join();
  useEffect(() => {
    setPicked(null);
    setOver(null);
  }, [position]);

  const latest = last ? parse(last.move) : null;
  const space = room(rows.map((has, row) => has + (latest?.row === row ? latest.take : 0)));
  if (small) {
    return (
      <div class="board board-nim board-small" aria-hidden="true">
        {rows.map((has, row) => (
          <div class="nim-row" key={row}>
            <Sticks has={has} take={0} gone={latest?.row === row ? latest.take : 0} room={space} />
          </div>
        ))}
      </div>
    );
  }

  const shown = (may ? (over ?? picked) : null) ?? (pending ? parse(pending) : null);
  const next = picked ?? { row: rows.findIndex((has) => has > 0), take: 1 };
  const set = (row: number, take: number) => {
    const has = rows[row] ?? 0;
    if (has > 0) setPicked({ row, take: Math.min(has, Math.max(1, take)) });
  };
  const send = ({ row, take }: Take) => may && play(`${row},${take}`);
  const press = (row: number, key: KeyboardEvent) => {
    const take = picked?.row === row ? picked.take : 1;
    const by = { ArrowLeft: 1, ArrowRight: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[key.key];
    if (by !== undefined) set(row, take + by);
    else if (key.key === "ArrowUp" || key.key === "ArrowDown") {
      const sliders = [...(list.current?.querySelectorAll<HTMLElement>("[role=slider]") ?? [])];
      const at = sliders.findIndex((one) => one.dataset.row === String(row));
      sliders[at + (key.key === "ArrowUp" ? -1 : 1)]?.focus();
    } else if (key.key === "Enter" || key.key === " ") send({ row, take });
    else if (key.key === "Escape" && picked) setPicked(null);
    else return;
    key.preventDefault();
    key.stopPropagation();
  };

  return (
    <div class="board board-nim" role="group" aria-label="Nim board">
      <div class="nim-rows" ref={list} {...(may ? {} : { tabIndex: 0, role: "group", "aria-label": "Rows of sticks" })}>
        {rows.map((has, row) => {
          const take = shown?.row === row ? shown.take : 0;
          const gone = latest?.row === row ? latest.take : 0;
          return (
            <div class={`nim-row${gone ? " nim-last" : ""}${has === 0 ? " nim-empty" : ""}`} key={row}>
              <span class="nim-name" aria-hidden="true">
                Row {row + 1}
              </span>
              <Sticks
                has={has}
                take={take}
                gone={gone}
                room={space}
                {...(may && has > 0
                  ? {
                      row,
                      label: `Row ${row + 1}, ${count(has, "stick")}`,
                      tabbable: row === next.row,
                      hover: (take: number | null) => setOver(take === null ? null : { row, take }),
                      focus: () => picked?.row !== row && set(row, 1),
                      press: (key: KeyboardEvent) => press(row, key),
                      choose: (take: number, touch: boolean) => (touch ? set(row, take) : send({ row, take })),
                    }
                  : { label: `Row ${row + 1}: ${count(has, "stick")}${gone ? `, ${gone} just taken` : ""}` })}
              />
              <span class="nim-count" aria-hidden="true">
                <b>{take ? has - take : has}</b>
                {take > 0 ? <span class="nim-take">−{take}</span> : gone > 0 && <span class="nim-gone">−{gone}</span>}
              </span>
            </div>
          );
        })}
      </div>
      <div class="nim-foot">
        <p>Who takes the last stick {misere ? "loses" : "wins"}.</p>
        {seat !== null && turn !== null && <Form rows={rows} next={next} may={may} set={set} send={send} />}
      </div>
    </div>
  );
}

interface FormProps {
  rows: readonly number[];
  next: Take;
  may: boolean;
  set: (row: number, take: number) => void;
  send: (take: Take) => void;
}

/** The same choice in numbers. */
function Form({ rows, next, may, set, send }: FormProps) {
  const [text, setText] = useState<string | null>(null); // what is being typed, also while it is no number
  const has = rows[next.row] ?? 0;
  useEffect(() => setText(null), [next.row, next.take]);
  return (
    <form
      class="nim-form"
      onSubmit={(event) => {
        event.preventDefault();
        send(next);
      }}
    >
      <label>
        Row
        <select disabled={!may} value={String(next.row)} onChange={(event) => set(Number(event.currentTarget.value), 1)}>
          {rows.map((has, row) => (
            <option key={row} value={String(row)} disabled={has === 0}>
              {row + 1}
            </option>
          ))}
        </select>
      </label>
      <label>
        Take
        <input
          type="number"
          inputMode="numeric"
          min="1"
          max={has}
          required
          disabled={!may}
          value={text ?? String(next.take)}
          onInput={(event) => {
            const typed = event.currentTarget.value;
            setText(typed);
            if (Number.isInteger(Number(typed)) && Number(typed) >= 1 && Number(typed) <= has) set(next.row, Number(typed));
          }}
        />
      </label>
      <button class="main" disabled={!may}>
        Take {next.take}
        <span class="nim-from"> from row {next.row + 1}</span>
      </button>
    </form>
  );
}

function parse(move: string): Take {
  const [row = 0, take = 0] = move.split(",").map(Number);
  return { row, take };
}

export const nim: Kit = {
  Board,
  say: (move) => {
    const { row, take } = parse(move);
    return `takes ${take} from row ${row + 1}`;
  },
  brief: (move) => {
    const { row, take } = parse(move);
    return `${take} from row ${row + 1}`;
  },
  describe: (view: View, seats: readonly SeatLine[]) => {
    const { rows, turn, misere } = view as NimView;
    const has = rows.map((sticks, row) => `row ${row + 1} has ${sticks}`).join(", ");
    const next = turn === null ? "" : ` It is ${whoOf(seats[turn])}’s turn.`;
    return `Of the sticks, ${has}. Who takes the last one ${misere ? "loses" : "wins"}.${next}`;
  },
  learning: (view) => (view as NimView).rows.flatMap((has, row) => (has > 0 ? [`${row},1`] : [])),
  scores: () => null,
  unit: "",
  ratio: () => 1,
};
