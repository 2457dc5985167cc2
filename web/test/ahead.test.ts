// What may be chosen before one's turn, as far as a board can know.

import assert from "node:assert/strict";
import { test } from "node:test";
import { couldTake } from "../src/boards/heaps";
import { linesFrom } from "../src/boards/hex";
import { couldPlay, spotsOf } from "../src/boards/reading";
import type { Grid, Heaps, View } from "../src/wire";

const piece = (seat: number) => ({ seat, shape: "disc", name: "", glyph: "", colour: "" });

function grid(click: string, names: string, cells: string[]): { board: Grid; view: View } {
  const board = { type: "grid", cells: "cells", names, click, pieces: { x: piece(0), o: piece(1) }, cols: null, rows: null, surface: "plain", turned: false };
  return { board: board as unknown as Grid, view: { cells } as unknown as View };
}

test("penguins slide in six lines, over whoever stands there, up to the sea", () => {
  const ice = [
    [1, 1],
    [1, 1],
    [1, 0],
    [1, 1],
    [1, 1],
  ];
  const ends = linesFrom(ice, { row: 0, col: 0 }).map(({ row, col }) => `${row},${col}`);
  assert.deepEqual(ends.sort(), ["1,0", "2,0", "4,0"]);
  const others = linesFrom(ice, { row: 1, col: 0 }).map(({ row, col }) => `${row},${col}`);
  assert.deepEqual(others.sort(), ["0,0", "0,1", "2,0", "3,0"]);
});

test("a cell that is free could be played", () => {
  const { board, view } = grid("{cell}", "{letter}{row1}", ["x.", ".o"]);
  assert.deepEqual(couldPlay(board, spotsOf(board, view), 0), ["b1", "a2"]);
});

test("a column that is not full could be played", () => {
  const { board, view } = grid("{col}", "{row},{col}", ["x.", "o."]);
  assert.deepEqual(couldPlay(board, spotsOf(board, view), 0), ["1"]);
});

test("a piece of one's own could go wherever none of one's own stands", () => {
  const { board, view } = grid("{from}-{to}", "{letter}{row1}", ["x.", "xo"]);
  assert.deepEqual(couldPlay(board, spotsOf(board, view), 0), ["a1-b1", "a1-b2", "a2-b1", "a2-b2"]);
});

test("so many of each heap could be taken, and each of the cards that one sees, where a click means that", () => {
  const pile = (cells: string, click: string[]) => ({ cells, click, label: "", pieces: {}, thing: "stick" });
  const board = { type: "heaps", piles: [pile("rows", ["{row1}:{take}"]), pile("hand", ["{item}"]), pile("table", [])] } as unknown as Heaps;
  const view = { rows: [2, 0, 61], hand: ["9♠", "A♥"], table: ["K♠"] } as unknown as View;
  assert.deepEqual(couldTake(board, view, []), ["1:1", "1:2", "9♠", "A♥"]);
});
