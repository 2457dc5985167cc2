// The boards that are drawn by hand, by the name of their game; every other game's is drawn as it
// declares itself. This is the one place of the page that knows games by name. The chess boards are
// large, and loaded when needed.

import { signal } from "@preact/signals";
import { gameFor } from "../games";
import { variantOf } from "../words";
import { declared } from "./declared";
import { fish } from "./fish";
import { guess } from "./guess";
import { type Kit, TWO_BOARDS } from "./kit";
import { nim } from "./nim";
import { reversi } from "./reversi";
import { tictactoe } from "./tictactoe";

const bughouse = signal<Kit | null>(null);
let loading = false;

/** By hand, in the order in which the lobby offers them. */
const SPECIAL: Record<string, () => Kit | null> = {
  reversi: () => reversi,
  bughouse: () => chess(),
  fish: () => fish,
  nim: () => nim,
  guess: () => guess,
  tictactoe: () => tictactoe,
};

/** The games that have a board by hand, the one first that most come for. */
export const FIRST: readonly string[] = Object.keys(SPECIAL);

/** What is played where nothing was chosen. */
export const FIRST_GAME = FIRST[0] ?? "";

/** The board of this game; null while it is loaded, or nothing is known of it yet. */
export function kitOf(game: string): Kit | null {
  const special = SPECIAL[game];
  if (special) return special();
  const known = gameFor(game);
  return known ? declared(known) : null;
}

/** Whether a game declares two boards beside each other; no until it is known. */
export function hasTwoBoards(variant: string): boolean {
  return gameFor(variant)?.shown.boards === 2;
}

/** How wide all boards together are for their height, also before they are loaded. */
export function ratioOf(variant: string): number {
  return kitOf(variantOf(variant).game)?.ratio(variant) ?? (hasTwoBoards(variant) ? TWO_BOARDS : 1);
}

const COLOURS: ReadonlySet<string> = new Set(["black", "white", "red", "blue", "yellow", "green", "orange", "purple", "brown", "grey"]);

/** The colour of a seat: as it is declared, or by the seat's own name on boards by hand; else none. */
export function seatColour(variant: string, seat: number): string {
  const { game } = variantOf(variant);
  const known = gameFor(game);
  if (!(game in SPECIAL)) return known?.shown.colours[seat] ?? "";
  const word = known?.seat_names[seat]?.split(" ")[0] ?? "";
  return COLOURS.has(word) ? word : "";
}

function chess(): Kit | null {
  if (!loading) {
    loading = true;
    void Promise.all([import("./bughouse"), dress()]).then(([found]) => (bughouse.value = found.bughouse));
  }
  return bughouse.value;
}

/** Load the looks of the chess boards; a board without them is better than none. */
function dress(): Promise<void> {
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = CHESS_STYLE;
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

declare const CHESS_STYLE: string; // where the build put it
