// What a move cost, and how sure one is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, costOf, depthOf, worst, worthOfEnd, worthTo } from "../src/parts/table/study";
import type { Analysis } from "../src/wire";

Object.assign(globalThis, { location: { search: "", pathname: "/" }, sessionStorage: { getItem: () => null } });

const found: Analysis = {
  table: 1,
  seat: 0,
  worth: 0.8,
  choices: [
    { move: "d3", worth: 0.8, score: "80 %" },
    { move: "c4", worth: 0.6, score: "60 %" },
  ],
  depth: 7,
  exact: false,
  tried: false,
};

test("the best move costs nothing, a listed one what it is behind, another what came of it", () => {
  assert.equal(costOf(found, "d3", 0.1), 0);
  assert.ok(Math.abs(costOf(found, "c4", 0.1) - 0.2) < 1e-9);
  assert.ok(Math.abs(costOf(found, "e6", 0.1) - 0.7) < 1e-9);
  assert.equal(costOf(found, "e6", 0.9), 0);
});

test("what is worth much to one is worth little to the other", () => {
  assert.equal(worthTo(0, found), 0.8);
  assert.ok(Math.abs(worthTo(1, found) - 0.2) < 1e-9);
  assert.equal(worthOfEnd(0, { places: [1, 2], how: "", reason: "", scores: null }), 1);
  assert.equal(worthOfEnd(1, { places: [1, 1], how: "", reason: "", scores: null }), 0.5);
});

test("only the dearest mistakes are named, and no trifles", () => {
  const slips = [0.01, 0.2, 0.5, 0.3, 0.4].map((cost, step) => ({ step, played: "", better: "", cost }));
  assert.deepEqual(
    worst(slips).map(({ step }) => step),
    [2, 4, 3],
  );
});

test("how sure one is, and where one asks", () => {
  assert.equal(depthOf(found), "7 moves ahead");
  assert.equal(depthOf({ ...found, exact: true }), "proved to the end of the game");
  assert.equal(depthOf({ ...found, tried: true, depth: 12345 }), "12,345 lines tried");
  assert.equal(addressOf("tryout", 3, 9, ["d3", "c4"]), "/api/tables/3/tryout?n=9&moves=d3%0Ac4");
});
