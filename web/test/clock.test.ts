// Clocks between two readings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { delayOf, leftOf, lowOf } from "../src/clock";

const reading = { left: [10_000_000, 20_000_000], running: [0], taken: 1000 };

test("only the clock of who is on turn runs", () => {
  assert.equal(leftOf(reading, 0, 0, 3000), 8_000_000);
  assert.equal(leftOf(reading, 1, 0, 3000), 20_000_000);
});

test("a clock stops at nothing", () => {
  assert.equal(leftOf(reading, 0, 0, 60_000), 0);
});

test("a delay is free", () => {
  assert.equal(delayOf("5m delay 3s"), 3_000_000);
  assert.equal(delayOf("5m+3s"), 0);
  assert.equal(leftOf(reading, 0, 3_000_000, 3000), 10_000_000);
  assert.equal(leftOf(reading, 0, 3_000_000, 5000), 9_000_000);
});

test("ten seconds are little of five minutes, but not of ten seconds", () => {
  assert.equal(lowOf("5m+3s"), 10_000_000);
  assert.equal(lowOf("9s/move"), 3_000_000);
  assert.equal(lowOf("9/move first 30s"), 3_000_000);
});

test("a table without clocks has none", () => {
  assert.equal(leftOf({ left: null, running: [0], taken: 0 }, 0, 0, 5000), null);
});
