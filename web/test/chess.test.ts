// Legal moves as text, sorted for a chess board.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesOn, sayMove, squaresOf } from "../src/boards/chess/moves";

test("only moves of this board are on it, each place once", () => {
  const { dests, drops } = choicesOn("1", ["1:e2e4", "1:e2e3", "2:d2d4", "1:b7b8q", "1:b7b8n", "1:N@f3"]);
  assert.deepEqual([...dests], [["e2", ["e4", "e3"]], ["b7", ["b8"]]]);
  assert.deepEqual([...drops], [["N", ["f3"]]]);
});

test("a move is known only as the server wrote it", () => {
  const { has } = choicesOn("1", ["1:b7b8q"]);
  assert.ok(has("b7b8q"));
  assert.ok(!has("b7b8"));
});

test("moves and drops can be said aloud", () => {
  assert.equal(sayMove("1:e2e4"), "e2 to e4, board 1");
  assert.equal(sayMove("2:N@f3"), "knight dropped on f3, board 2");
  assert.equal(sayMove("1:b7b8q"), "b7 to b8, becomes a queen, board 1");
  assert.deepEqual(squaresOf("N@f3"), ["f3"]);
});
