// Every game's board, by the game's name. The chess boards are large, and loaded when needed.

import { signal } from "@preact/signals";
import { fish } from "./fish";
import { guess } from "./guess";
import type { Kit } from "./kit";
import { nim } from "./nim";
import { plain } from "./plain";
import { reversi } from "./reversi";
import { tictactoe } from "./tictactoe";

const KITS: Record<string, Kit> = { fish, guess, nim, reversi, tictactoe };

const bughouse = signal<Kit | null>(null);
let loading = false;

/** The board of this game, or a plain one; null while it is loaded. */
export function kitOf(game: string): Kit | null {
  if (game !== "bughouse") return KITS[game] ?? plain;
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
