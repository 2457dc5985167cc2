// How programs are told to join a tour.

import assert from "node:assert/strict";
import { test } from "node:test";
import { joinWords } from "../src/parts/tour/join-words";
import type { TourShown } from "../src/wire";

function tour(variant: string, { code = "CLUB", coded = true, format = "round_robin", only = "" } = {}): TourShown {
  return { line: { tour: 3, variant, format, coded }, plan: { variant, name: "", policy: { only } }, code } as unknown as TourShown;
}

const dialects = (shown: TourShown) => joinWords(shown).map(([dialect]) => dialect);

test("a tour is joined in every dialect that has words for its game", () => {
  assert.deepEqual(dialects(tour("nim")), ["native", "tourney"]);
  assert.deepEqual(dialects(tour("reversi size=10")), ["native", "blackwhite"]);
  assert.deepEqual(dialects(tour("reversi size=10 opening=4")), ["native"]);
  assert.deepEqual(dialects(tour("fish")), ["native", "fish", "fishcom"]);
});

test("the code stands where each dialect has it, and is not told to whom it is not shown", () => {
  assert.deepEqual(joinWords(tour("nim")), [
    ["native", '{"type":"join_tour","code":"CLUB"}'],
    ["tourney", "@TOUR:JOIN:CLUB"],
  ]);
  assert.equal(joinWords(tour("nim", { code: "" }))[1]?.[1], "@TOUR:JOIN:CODE");
});

test("without a code a tour is joined by its number, and by nobody who has no word for it", () => {
  assert.deepEqual(joinWords(tour("fish", { code: "", coded: false })), [["native", '{"type":"join_tour","tour":3}']]);
});

test("teams join with their name, and only in native", () => {
  assert.deepEqual(joinWords(tour("bughouse")), [["native", '{"type":"join_tour","code":"CLUB","team":"red"}']]);
  assert.deepEqual(dialects(tour("bughouse", { format: "rotating" })), ["native", "bughouse"]);
});

test("a tour of one dialect alone names that one", () => {
  assert.deepEqual(dialects(tour("nim", { only: "tourney" })), ["tourney"]);
});
