// Tours that start by themselves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { USUAL, wishOf } from "../src/parts/tour/plan";
import { startsOf, untilOf } from "../src/parts/tour/starts";
import type { TourShown } from "../src/wire";

const shown = (status: string, plan: object) => ({ line: { status }, plan }) as unknown as TourShown;

test("only a tour that has not begun has a time to come", () => {
  assert.deepEqual(startsOf(shown("open", { starts: 5e9 })), 5e6);
  assert.equal(startsOf(shown("running", { starts: 5e9 })), null);
  assert.equal(startsOf(shown("open", {})), null);
});

test("how long it is until then is read at a glance", () => {
  assert.deepEqual([0, 59_001, 61_000, 3_723_000, 3 * 86_400_000].map(untilOf), ["0:00", "1:00", "1:01", "1:02:03", "3 days"]);
});

test("a form's time of day is the reader's own, and goes out in microseconds", () => {
  const { plan } = wishOf({ ...USUAL, starts: "2026-11-17T18:30" }, undefined);
  assert.equal(plan.starts, new Date(2026, 10, 17, 18, 30).getTime() * 1000);
});
