// Words and numbers for people, at their edges.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SeatLine, TableLine } from "../src/wire";
import { clockOf, outcomeOf, spanOf, titleOf, variantOf } from "../src/words";

const seat = (n: number, player_name: string): SeatLine => ({ seat: n, name: `seat ${n}`, player: n + 1, player_name, connected: true });
const line = (places: number[] | null): TableLine => ({
  table: 1,
  variant: "nim",
  time: "none",
  status: "over",
  seats: [seat(0, "Ann"), seat(1, "Bob")],
  n: 9,
  outcome: places && { places, how: "x", reason: "", scores: null },
  tour: null,
});

test("a clock never shows zero while there is time left", () => {
  assert.equal(clockOf(1), "0:00.1");
  assert.equal(clockOf(0), "0:00.0");
  assert.equal(clockOf(-5), "0:00.0");
});

test("a clock shows tenths in the last twenty seconds, and hours only where there are some", () => {
  assert.equal(clockOf(19_900_000), "0:19.9");
  assert.equal(clockOf(20_000_000), "0:20");
  assert.equal(clockOf(300_000_000), "5:00");
  assert.equal(clockOf(3_661_000_000), "1:01:01");
});

test("a span is told as exactly as one would say it", () => {
  assert.equal(spanOf(400_000), "0.4 s");
  assert.equal(spanOf(12_000_000), "12 s");
  assert.equal(spanOf(125_000_000), "2 min 5 s");
});

test("a variant is its game and its options", () => {
  assert.deepEqual(variantOf("reversi size=10"), { game: "reversi", options: { size: "10" } });
  assert.equal(titleOf("reversi size=10"), "Reversi · size 10");
});

test("all in the first place is a draw, nobody there means that nobody won", () => {
  assert.equal(outcomeOf(line([1, 2])), "Ann won.");
  assert.equal(outcomeOf(line([1, 1])), "A draw.");
  assert.equal(outcomeOf(line([2, 2])), "Nobody won.");
  assert.equal(outcomeOf(line(null)), "");
});
