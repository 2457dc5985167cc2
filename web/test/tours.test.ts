// How programs are told to join a tour, and what the server is asked to open.

import assert from "node:assert/strict";
import { test } from "node:test";
import { keepDialects } from "../src/dialects";
import { games } from "../src/games";
import { joinWords } from "../src/parts/tour/join-words";
import { onlyFrom, termsOf, USUAL, wishOf } from "../src/parts/tour/plan";
import { shares } from "../src/parts/tour/score";
import type { DialectLine, DialectWords, GameLine, TourShown } from "../src/wire";

const bughouse = { name: "bughouse", seats: [4], options: [], about: "", draws: true, teams: true } as unknown as GameLine;
const size = { name: "size", kind: "number", default: "8", description: "" };
const reversi = { name: "reversi", seats: [2], options: [size], about: "", draws: true, teams: false } as unknown as GameLine;
games.value = [bughouse, reversi];

const words = (game: string, options: Record<string, string[]> = {}, others = true): DialectWords => ({ game, options, others });
const dialect = (name: string, hello: string, words: DialectWords[] | null, more: Partial<DialectLine> = {}) =>
  ({ name, hello, words, named: true, tours: false, joins: "", joins_open: "", ...more }) as DialectLine;
keepDialects([
  dialect("fish", '{"type":"joinGame","age":8,"id":"ann"}', [words("fish")]),
  dialect("fishcom", '"ann"', [words("fish")]),
  dialect("native", "", null, { tours: true }),
  dialect("blackwhite", "ENTERROOM [ann]", [words("reversi", { size: ["10"] }, false)]),
  dialect("bughouse", "ADD_PLAYER:ann", [words("bughouse")]),
  dialect("othello", "1", [words("reversi", { size: ["8"] })], { named: false }),
  dialect("tourney", "@NEW PLAYER", [words("nim"), words("reversi", { size: ["4", "6", "8"] })], {
    tours: true,
    joins: "@TOUR:JOIN:{code}",
    joins_open: "@TOUR:JOIN:{tour}",
  }),
]);

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
  assert.equal(joinWords(tour("nim", { code: "", coded: false }))[1]?.[1], "@TOUR:JOIN:3");
});

test("teams join with their name, and only in native", () => {
  assert.deepEqual(joinWords(tour("bughouse")), [["native", '{"type":"join_tour","code":"CLUB","team":"red"}']]);
  assert.deepEqual(dialects(tour("bughouse", { format: "rotating" })), ["native", "bughouse"]);
});

test("a tour of one dialect alone names that one", () => {
  assert.deepEqual(dialects(tour("nim", { only: "tourney" })), ["tourney"]);
});

test("what nobody touched is as the server has it", () => {
  const { plan } = wishOf(USUAL, undefined);
  assert.deepEqual(plan.policy, { gone: "forfeit", grace: 60e6, errors: { limit: 0, in_a_row: true, out_of_turn: false }, only: "" });
  assert.deepEqual(plan.ties, ["head_to_head", "sonneborn_berger", "buchholz", "wins", "fewest_forfeits"]);
  assert.equal(plan.farewell, false);
});

test("a farewell is asked for only where the tour is strict", () => {
  assert.equal(wishOf({ ...USUAL, farewell: "true", strict: "false" }, undefined).plan.farewell, false);
  assert.equal(wishOf({ ...USUAL, farewell: "true", strict: "true" }, undefined).plan.farewell, true);
});

test("a tour may have no tie-breaks at all", () => {
  assert.deepEqual(wishOf({ ...USUAL, ties: "" }, undefined).plan.ties, []);
});

test("a dialect that has no words for the game is not asked for", () => {
  assert.equal(onlyFrom({ ...USUAL, game: "nim", only: "tourney" }, undefined), "tourney");
  assert.equal(onlyFrom({ ...USUAL, game: "fish", only: "tourney" }, undefined), "");
  assert.equal(onlyFrom({ ...USUAL, game: "bughouse", only: "bughouse" }, bughouse), "");
  assert.equal(onlyFrom({ ...USUAL, game: "bughouse", format: "rotating", only: "bughouse" }, bughouse), "bughouse");
});

test("whoever joins is told what is not as usual", () => {
  const plan = (more: object) => termsOf({ variant: "nim", name: "", ...more });
  assert.deepEqual(plan({}), []);
  const { plan: wished } = wishOf({ ...USUAL, strict: "true", rated: "false", only: "othello", gone: "at_once", errors: "3" }, undefined);
  assert.deepEqual(plan(wished), ["not rated", "only othello clients", "3 illegal moves in a row lose", "who hangs up loses", "who is out of a game is out of the tour"]);
  const { plan: usual } = wishOf({ ...USUAL, errors: "1" }, undefined);
  assert.deepEqual(plan(usual), ["an illegal move loses"]);
});

test("seeds are asked for only where they say who meets whom", () => {
  assert.equal(wishOf({ ...USUAL, format: "swiss", seeding: "rating", "swiss.late_byes": "2" }, undefined).plan.seeding, "rating");
  assert.equal(wishOf({ ...USUAL, format: "swiss", "swiss.late_byes": "2" }, undefined).plan.format, "swiss late_byes=2");
  assert.equal(wishOf({ ...USUAL, format: "arena", seeding: "rating" }, undefined).plan.seeding, undefined);
});

test("a bye that was given is worth what was said", () => {
  const bye = { places: [1], how: "bye" };
  assert.deepEqual(shares(bye, [3], [], [3, 1, 0]), [3]);
  assert.deepEqual(shares(bye, [3], [], [3, 1, 0], "half"), [1]);
  assert.deepEqual(shares(bye, [3], [], [3, 1, 0], "zero"), [0]);
});
