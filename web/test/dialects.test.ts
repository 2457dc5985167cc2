// What people are told of a dialect.

import assert from "node:assert/strict";
import { test } from "node:test";
import { playsOf } from "../src/dialects";
import type { DialectLine, DialectWords } from "../src/wire";

const dialect = (words: DialectWords[] | null) => ({ name: "x", words }) as DialectLine;

test("a dialect has every game, or those that it has words for, with the options it can say", () => {
  assert.equal(playsOf(dialect(null)), "every game");
  const nim = { game: "nim", options: {}, others: true };
  assert.equal(playsOf(dialect([nim])), "Nim");
  const reversi = { game: "reversi", options: { size: ["4", "6", "8"] }, others: true };
  assert.equal(playsOf(dialect([nim, reversi])), "Nim and Reversi (size 4, 6 or 8)");
});
