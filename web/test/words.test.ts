// Words and numbers for people, at their edges.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SeatLine, TableLine } from "../src/wire";
import { clockOf, eventOf, outcomeOf, spanOf, titleOf, variantOf, withNames } from "../src/words";

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

test("a yes to a draw is not called an offer", () => {
  const event = { type: "draw_offered", seat: 1 } as const;
  assert.equal(eventOf(event, [seat(0, "Ann"), seat(1, "Bob")], ""), "Bob offers a draw.");
  assert.equal(eventOf(event, [seat(0, "Ann"), seat(1, "Bob")], "", true), "Bob accepts the draw.");
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

/** Seats that are called so, and who sits there. */
function sitting(...pairs: [seat: string, player: string][]): SeatLine[] {
  return pairs.map(([name, player_name], n) => ({ ...seat(n, player_name), name }));
}

test("who sits in a seat stands beside its name", () => {
  const seats = sitting(["red", "Ann"], ["white", "Bob"], ["brown", "Cid"]);
  assert.equal(withNames("Red and brown have 12 fish each.", seats), "Red (Ann) and brown (Cid) have 12 fish each.");
  assert.equal(withNames("The board is full, and nobody has three in a row.", seats), "The board is full, and nobody has three in a row.");
  assert.equal(eventOf({ type: "ended", outcome: { places: [2, 1, 1], how: "x", reason: "Red resigned.", scores: null } }, seats, ""), "Red (Ann) resigned.");
});

test("a seat of several words is named as a whole, and not by its beginning", () => {
  const seats = sitting(["white", "Ann"], ["white on board 1", "Bob"]);
  assert.equal(withNames("White on board 1 is mated.", seats), "White on board 1 (Bob) is mated.");
  assert.equal(withNames("White on board 12 is mated.", seats), "White (Ann) on board 12 is mated.");
});

test("a seat's name inside another word is none", () => {
  const seats = sitting(["black", "Ann"], ["X", "Bob"]);
  assert.equal(withNames("The blackboard, an X-ray, éblack and Xavier.", seats), "The blackboard, an X-ray, éblack and Xavier.");
  assert.equal(withNames("x marks it, and X. does not.", seats), "x marks it, and X (Bob). does not.");
});

test("players who are called like a seat stand only where they sit", () => {
  assert.equal(withNames("Black resigned to white.", sitting(["black", "white"], ["white", "black"])), "Black (white) resigned to white (black).");
  assert.equal(withNames("Home resigned.", sitting(["home", "Home"], ["away", "Ann"])), "Home resigned.");
});

test("names are taken as they are, and seats too", () => {
  assert.equal(withNames("Home resigned.", sitting(["home", "$& \\1 (a|b)*"], ["away", "Ann"])), "Home ($& \\1 (a|b)*) resigned.");
  assert.equal(withNames("A+ (b) resigned.", sitting(["a+ (b)", "Ann"])), "A+ (b) (Ann) resigned.");
  assert.equal(withNames("North-west's #1 resigned.", sitting(["north-west's #1", "Ann"])), "North-west's #1 (Ann) resigned.");
  assert.equal(withNames("Home resigned.", sitting(["home", ""])), "Home resigned.");
  assert.equal(withNames("Home resigned.", []), "Home resigned.");
});
