// Stepping through a table: what the moments amount to, and where one looks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { games } from "../src/games";
import { Cursor } from "../src/parts/table/cursor";
import { passedAt, passesOf } from "../src/parts/table/passes";
import { movesUpTo, offeredBefore, offersOf, ownerOf, rowsOf, stepsOf, takebackOf } from "../src/parts/table/story";
import type { Table } from "../src/tables";
import type { GameLine, Moment, TableEvent } from "../src/wire";

/** These events, a second apart, numbered from 1. */
function told(...events: TableEvent[]): Moment[] {
  return events.map((event, i) => ({ n: i + 1, at: i * 1e6, event, effects: [], to_act: [0], left: null, view: null }));
}

const started: TableEvent = { type: "started" };
const played = (seat: number, spent = 0): TableEvent => ({ type: "played", seat, move: "d3", spent });
const offered = (seat: number): TableEvent => ({ type: "draw_offered", seat });
const said: TableEvent = { type: "said", player: 1, name: "Ann", text: "hi", team: null };

function cursorAt(...events: TableEvent[]) {
  const moments = signal<readonly Moment[]>(told(...events));
  return { moments, cursor: new Cursor({ id: 1, moments } as unknown as Table, null) };
}

test("what is said is no step", () => {
  assert.equal(stepsOf(told(started, said, played(0), offered(1))).length, 2);
});

test("moves taken back are no steps any more, and nobody has asked for anything after them", () => {
  const back: TableEvent = { type: "taken_back", seat: 0, plies: 2, thought: [0, 0] };
  const moments = told(started, played(0), played(1), { type: "takeback_asked", seat: 0 }, back, played(0));
  assert.deepEqual(
    stepsOf(moments).map(({ n }) => n),
    [1, 6],
  );
  assert.equal(takebackOf(moments.slice(0, 4)).open, 0);
  assert.deepEqual(takebackOf(moments.slice(0, 5)), { open: null, asked: new Set() });
});

test("a seat that moves twice has two rows", () => {
  const rows = rowsOf(told(started, played(0), played(1), played(0), played(0)), 2);
  assert.deepEqual(
    rows.map((row) => row.moves),
    [[], [1, 2], [3, null], [4, null]],
  );
});

test("the other side's offer is a yes, unless the first was declined or passed over", () => {
  const [yes, ...rest] = [told(offered(0), offered(1)), told(offered(0), played(1), offered(1)), told(offered(0), { type: "draw_declined", seat: 1 }, offered(1))];
  assert.equal(offeredBefore("reversi", yes!, 1), false);
  assert.equal(offeredBefore("reversi", yes!, 2), true);
  for (const moments of rest) assert.equal(offeredBefore("reversi", moments, 3), false);
});

test("who passes stands in the row, in their column", () => {
  const moments = told(started, played(0), played(0), played(1), played(1));
  moments[1]!.effects = [{ type: "passed", seat: 1 }];
  moments[3]!.effects = [{ type: "passed", seat: 0 }];
  const rows = rowsOf(moments, 2).slice(1);
  assert.deepEqual(
    rows.map((row) => row.moves),
    [[1, null], [2, 3], [null, 4]],
  );
  assert.deepEqual(
    rows.map((row) => row.passes.map((pass) => pass.seat)),
    [[1], [], [0]],
  );
});

test("who is stuck for good is said once", () => {
  const moments = told(started, played(0), played(0));
  moments[1]!.effects = [{ type: "skipped", seat: 1 }];
  moments[2]!.effects = [{ type: "skipped", seat: 1 }];
  assert.deepEqual(passesOf(moments), [[], [{ seat: 1, forGood: true }], []]);
  assert.equal(passedAt(moments, 0, 1), "");
  assert.equal(passedAt(moments, 2, 1), "no more moves");
});

test("an offer stands until the other side plays on", () => {
  assert.deepEqual([...offersOf("reversi", told(offered(0), played(0))).open], [0]);
  assert.deepEqual([...offersOf("reversi", told(offered(0), played(0), played(1))).open], []);
});

test("partners of bughouse offer a draw as one", () => {
  games.value = [{ name: "bughouse", sides: [[0, 1, 1, 0]] } as unknown as GameLine];
  assert.deepEqual([...offersOf("bughouse", told(offered(3))).open], [0]);
});

test("the last heir owns the table", () => {
  assert.equal(ownerOf(told({ type: "owned", player: 7 }, { type: "owned", player: 8 })), 8);
});

test("new moves do not move who has stepped back", () => {
  const { cursor, moments } = cursorAt(started, played(0), played(1));
  cursor.step(-1);
  moments.value = told(started, played(0), played(1), played(0), played(1));
  assert.equal(cursor.index.value, 1);
  assert.equal(cursor.missed.value, 2);
  cursor.toEnd();
  assert.equal(cursor.live.value, true);
  assert.equal(cursor.index.value, 4);
});

test("who looks at the end goes along", () => {
  const { cursor, moments } = cursorAt(started, played(0));
  moments.value = told(started, played(0), played(1));
  assert.equal(cursor.index.value, 2);
  assert.equal(movesUpTo(cursor.steps.value, cursor.index.value), 2);
});

test("playback waits as long as was thought, by its speed", () => {
  const { cursor } = cursorAt(started, played(0, 8e6), played(1));
  cursor.go(0);
  cursor.pace(1, false);
  assert.equal(cursor.rest(), 8000);
  cursor.pace(2, false);
  assert.equal(cursor.rest(), 4000);
  cursor.pace(1, true);
  assert.equal(cursor.rest(), 2000);
});

test("playback stops at the end", () => {
  const { cursor } = cursorAt(started, played(0), played(1));
  cursor.play();
  assert.equal(cursor.index.value, 0);
  cursor.step(1);
  assert.equal(cursor.playing.value, true);
  cursor.step(1);
  assert.equal(cursor.playing.value, false);
});
