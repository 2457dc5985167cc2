// What is shown on a wall: addresses that work, a code that cameras read, and who rose.

import assert from "node:assert/strict";
import { test } from "node:test";
import decodeQR from "qr/decode.js";
import encodeQR from "qr";
import { joinLink, origins, typed } from "../src/parts/screen/address";
import { squares } from "../src/parts/screen/qr";
import { moved, podium } from "../src/parts/screen/ranks";
import type { ServerShown } from "../src/parts/server";

const server = { reach: ["http://192.168.1.5:7350"] } as ServerShown;

test("others are never sent to this machine's own name for itself", () => {
  for (const hostname of ["localhost", "127.0.0.1", "127.0.1.1", "[::1]"]) {
    assert.deepEqual(origins({ hostname, origin: `http://${hostname}:7350` }, server), server.reach);
  }
  assert.deepEqual(origins({ hostname: "localhost", origin: "http://localhost" }, { ...server, reach: [] }), []);
});

test("an address by which somebody came is the best, and stands there once", () => {
  assert.deepEqual(origins({ hostname: "chess.example", origin: "https://chess.example" }, server), ["https://chess.example", ...server.reach]);
  assert.deepEqual(origins({ hostname: "192.168.1.5", origin: "http://192.168.1.5:7350" }, server), server.reach);
});

test("a join link brings the code, and is typed without http", () => {
  assert.equal(joinLink("http://a:1", 3, "CLUB"), "http://a:1/tours/3?code=CLUB");
  assert.equal(typed(joinLink("http://a:1", 3, "")), "a:1/tours/3");
});

test("a camera reads from the square what was put into it", () => {
  const text = joinLink("http://192.168.100.200:7350", 12, "K7QX2M");
  const { path, side } = squares(text);
  const zoom = 4;
  const data = new Uint8ClampedArray(side * zoom * side * zoom * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h/g)) {
    for (let dy = 0; dy < zoom; dy++) {
      for (let dx = 0; dx < zoom; dx++) data.fill(0, ((Number(y) * zoom + dy) * side * zoom + Number(x) * zoom + dx) * 4, ((Number(y) * zoom + dy) * side * zoom + Number(x) * zoom + dx) * 4 + 3);
    }
  }
  assert.equal(decodeQR({ width: side * zoom, height: side * zoom, data }), text);
  assert.equal(side, encodeQR(text, "raw", { ecc: "medium", border: 3 }).length);
});

test("who changed places has risen or fallen by so many rows", () => {
  assert.deepEqual([...moved([1, 2, 3], [3, 1, 2])], [[3, 2], [1, -1], [2, -1]]);
  assert.deepEqual([...moved([1, 2], [1, 2, 3])], []);
});

test("on the podium all stand who share a place", () => {
  const rows = [1, 1, 3, 4].map((place, entrant) => ({ place, entrant }));
  assert.deepEqual(podium(rows).map(({ place, rows }) => [place, rows.length]), [[1, 2], [3, 1]]);
});
