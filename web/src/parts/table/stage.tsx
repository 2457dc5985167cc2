// The board with its seats around it. One's own seat is below; three or four seats stand in a
// list of their own. Where a game has two boards, one's own is on the left, with a seat at both ends.

import { useMemo } from "preact/hooks";
import { hasTwoBoards } from "../../boards";
import { state } from "../../line";
import { settings } from "../../settings";
import type { Table } from "../../tables";
import type { TableLine, View } from "../../wire";
import { Board } from "../board";
import { useGet } from "../page";
import type { Cursor } from "./cursor";
import { kitFor, moveUpTo, outOf } from "./story";
import { Strip } from "./strip";

interface Props {
  cursor: Cursor;
  line: TableLine;
}

const NONE: readonly string[] = [];

/** Whether the seats are a list of their own, and not around the board. */
export function isListed(line: TableLine): boolean {
  return line.seats.length > 2 && !hasTwoBoards(line.variant);
}

function Seats({ cursor, line, of }: Props & { of: readonly number[] }) {
  return (
    <div class="stage-seats">
      {of.map((n) => line.seats[n] && <Strip key={n} cursor={cursor} line={line} seat={line.seats[n]} />)}
    </div>
  );
}

/** All seats, where they are a list. */
export function SeatList(props: Props) {
  return (
    <section class="table-seats" aria-label="Players">
      <Seats {...props} of={props.line.seats.map((seat) => seat.seat)} />
    </section>
  );
}

export function Stage(props: Props) {
  const { cursor, line } = props;
  const own = cursor.table.seat.value ?? 0;
  const me = cursor.flipped.value ? own ^ 1 : own;
  if (hasTwoBoards(line.variant)) {
    return (
      <section class="stage stage-pairs" aria-label="Boards">
        {([me, 3 - me] as const).map((below, half) => (
          <div key={half} class="stage-half">
            <Seats {...props} of={[below ^ 1]} />
            <Playing {...props} half={half === 0 ? 0 : 1} seats={[below, below ^ 1]} />
            <Seats {...props} of={[below]} />
          </div>
        ))}
      </section>
    );
  }
  const around = !isListed(line);
  return (
    <section class="stage" aria-label="Board">
      {around && <Seats {...props} of={[1 - me]} />}
      <Todo {...props} />
      <Playing {...props} />
      {around && <Seats {...props} of={[me]} />}
    </section>
  );
}

/** What is to be done now, in games whose board does not say it; its place is kept all the time. */
function Todo({ cursor, line }: Props) {
  const kit = kitFor(line.variant);
  if (!kit?.todo) return null;
  const live = cursor.live.value;
  const view = live ? cursor.table.view.value : (cursor.moment.value?.view ?? null);
  return <p class="stage-todo">{view && line.status !== "over" && kit.todo(view, line.seats, live ? cursor.table.seat.value : null)}</p>;
}

/** What is chosen before one's turn is played later, or never. */
function chooseNext(table: Table, move: string): Promise<boolean> {
  table.premove.choose(move);
  return Promise.resolve(false);
}

interface PlayingProps extends Props {
  half?: 0 | 1;
  /** Whose last move is marked; else anybody's. */
  seats?: readonly number[];
}

/** A board: at the end of the game it takes moves, and nowhere else. */
function Playing({ cursor, line, half, seats }: PlayingProps) {
  const { table } = cursor;
  const live = cursor.live.value;
  const pending = table.underway.move.value;
  const waits = line.status === "open";
  const begun = useGet<{ view: View }>(waits ? `/api/games/board?variant=${encodeURIComponent(line.variant)}` : null).found;
  const view = waits ? (begun?.view ?? null) : live ? table.view.value : (cursor.moment.value?.view ?? null);
  const kit = kitFor(line.variant);
  const mine = table.seat.value;
  const here = live && pending === null && state.value === "up";
  // Until what may be played is known, a click counts as one before one's turn: it is not lost.
  const may = here && table.myTurn.value && !table.learning.value;
  const ahead = kit?.learning === undefined || table.myTurn.value;
  const early = here && !may && ahead && mine !== null && view !== null && line.status === "playing" && settings.value.premove && !outOf(table.moments.value).has(mine);
  const chosen = early ? table.premove.move.value : null;
  const before = table.before.value;
  const could = useMemo(() => (early && view ? (kit?.early?.(view, mine) ?? kit?.learning?.(view, before) ?? NONE) : NONE), [early, view, kit, before]);
  return (
    <div
      class={`stage-board${waits ? " stage-waits" : live ? "" : " stage-past"}${early ? " stage-early" : ""}`}
      aria-hidden={waits}
      onKeyDown={(key) => key.key === "Escape" && table.premove.drop()}
      onContextMenu={() => table.premove.drop()}
    >
      <Board
        small={waits}
        variant={line.variant}
        view={view}
        seat={table.seat.value}
        flipped={cursor.flipped.value}
        seats={line.seats}
        moves={may ? table.legal.value : could}
        early={early}
        last={moveUpTo(cursor.steps.value, cursor.index.value, seats)}
        pending={live ? (pending ?? chosen) : null}
        keep={table.premove.keep}
        play={(move) => (early ? chooseNext(table, move) : table.underway.play(move))}
        {...(half === undefined ? {} : { half })}
      />
      {kit && view && !half && !waits && <p class="unseen">{kit.describe(view, line.seats)}</p>}
    </div>
  );
}
