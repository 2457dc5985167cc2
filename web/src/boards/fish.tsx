// Fish: penguins on melting ice. What is on the board in words, and the ice to play on.

import type { SeatLine, View } from "../wire";
import { capital, count, variantOf, whoOf } from "../words";
import { linesFrom } from "./hex";
import { type Flock, frame, Ice, MANY, write } from "./ice";
import type { BoardProps, Kit } from "./kit";
import { Scroll } from "./scroll";

interface FishView extends View {
  phase: "place" | "move" | "over";
  board: number[][];
  players: Flock[];
  turn: number | null;
}

const ROWS = 15;
const COLS = 4;
const PENGUINS = 6; // each has so many, less one for everybody who plays
const WIDEST = 1.5; // the place of a board with many columns
const NARROWEST = 0.6;

function Board({ view, seat, moves, last, pending, early, play, small }: BoardProps) {
  const { board, players, turn } = view as FishView;
  const ice = <Ice board={board} flocks={players} turn={early ? seat : turn} early={early} moves={moves} last={last} pending={pending} play={play} small={small} />;
  return small ? ice : <Scroll>{ice}</Scroll>;
}

/** `Place a penguin: 1 of 4`. */
function todo(view: View, seats: readonly SeatLine[], mine: number | null): string {
  const { players, phase, turn } = view as FishView;
  if (turn === null) return "";
  const who = whoOf(seats[turn]);
  if (phase !== "place") return turn === mine ? "Choose a penguin, then where it slides." : `${who} moves a penguin.`;
  const nth = `${(players[turn]?.places.length ?? 0) + 1} of ${PENGUINS - players.length}`;
  return turn === mine ? `Place a penguin: ${nth}` : `${who} places a penguin: ${nth}`;
}

/** `red 12 fish, penguins at 3,2 and 5,0`. */
function flockOf({ color, score, places, removed }: Flock): string {
  if (removed) return `${capital(color)} is out.`;
  const where = places.map(([row, col]) => `${row},${col}`).join(" and ");
  return `${capital(color)} has ${count(score, "fish", "fish")}${where ? `, and ${places.length === 1 ? "a penguin" : "penguins"} at ${where}` : ""}.`;
}

export const fish: Kit = {
  Board,
  say: (move) => {
    const [from, to] = move.split("-");
    return to ? `${from} to ${to}` : `a penguin on ${from}`;
  },
  brief: (move) => move.replace("-", " → "),
  gained: (effects) => {
    const ate = effects.flatMap(({ type, fish }) => (type === "scored" && typeof fish === "number" ? [fish] : []))[0];
    return ate === undefined ? { brief: "", said: "" } : { brief: `+${ate}`, said: `for ${count(ate, "fish", "fish")}` };
  },
  early: (view, seat) => {
    const { board, players, phase } = view as FishView;
    const mine = players.find((flock) => flock.seat === seat)?.places ?? [];
    if (phase !== "place") return mine.flatMap(([row, col]) => linesFrom(board, { row, col }).map((to) => `${row},${col}-${write(to)}`));
    const taken = new Set(players.flatMap(({ places }) => places.map(String)));
    return board.flatMap((line, row) => line.flatMap((fish, col) => (fish > 0 && !taken.has(`${row},${col}`) ? [`${row},${col}`] : [])));
  },
  describe: (view: View, seats: readonly SeatLine[]) => {
    const { players, phase, turn } = view as FishView;
    const next = turn === null ? "" : ` It is ${whoOf(seats[turn])}’s turn to ${phase === "place" ? "place a penguin" : "move"}.`;
    return `${players.map(flockOf).join(" ")}${next}`;
  },
  todo,
  scores: (view) => (view as FishView).players.map((flock) => flock.score),
  unit: "fish",
  leads: true,
  ratio: (variant) => {
    const { options } = variantOf(variant);
    const cols = Number(options.cols ?? COLS);
    const { width, height } = frame(Number(options.rows ?? ROWS), cols, false);
    return Math.min(cols > MANY ? WIDEST : Infinity, Math.max(NARROWEST, width / height));
  },
};
