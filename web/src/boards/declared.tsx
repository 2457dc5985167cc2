// The board of any game, as the game declares it: the page has never heard of it before.

import type { GameLine, Piece, SeatLine, Showing, View } from "../wire";
import { whoOf } from "../words";
import { CellBoard, describeCells } from "./cells";
import { couldTake, describeHeaps, HeapBoard, meant } from "./heaps";
import type { BoardProps, Kit } from "./kit";
import { plainText, TextView } from "./plain";
import { couldPlay, fieldOf, patternsOf, pieceOf, spotsOf, textOf } from "./reading";

const EARLY_MAX = 3000; // moves that one may choose among before they are known
const kits = new WeakMap<GameLine, Kit>();

/** The board of this game; the same each time it is asked for. */
export function declared(game: GameLine): Kit {
  const known = kits.get(game);
  if (known) return known;
  const kit = kitFrom(game.shown);
  kits.set(game, kit);
  return kit;
}

function kitFrom(shown: Showing): Kit {
  const { board } = shown;
  const kit: Kit = {
    Board: (props: BoardProps) => <Declared shown={shown} {...props} />,
    say: (move) => sayMove(shown, move),
    brief: (move) => cardOf(shown, move)?.glyph || sayMove(shown, move),
    describe: (view, seats) => [describe(shown, view, seats), notesOf(shown, view), turnOf(view, seats)].filter(Boolean).join(" "),
    scores: (view) => {
      const found = shown.scores ? fieldOf(view, shown.scores) : null;
      return Array.isArray(found) && found.every((one) => typeof one === "number") ? (found as number[]) : null;
    },
    unit: shown.unit,
    flips: board.type === "grid" || board.type === "hexes",
    ratio: () => (board.type === "grid" && typeof board.rows === "number" && typeof board.cols === "number" ? board.cols / board.rows : 1),
  };
  if (board.type === "grid" || board.type === "hexes") {
    kit.early = (view, seat) => {
      const all = couldPlay(board, spotsOf(board, view), seat);
      return all.length <= EARLY_MAX ? all : [];
    };
  }
  if (board.type === "heaps") {
    kit.learning = (view) => {
      const all = couldTake(board, view, []);
      return all.length <= EARLY_MAX ? all : [];
    };
  }
  if (board.type === "text") kit.learning = (_, before) => before;
  if (Object.keys(shown.phases).length > 0) kit.todo = (view, seats, mine) => todoOf(shown, view, seats, mine);
  return kit;
}

function Declared({ shown, ...props }: BoardProps & { shown: Showing }) {
  const { board } = shown;
  const notes = props.small ? "" : notesOf(shown, props.view);
  const drawn = (() => {
    switch (board.type) {
      case "grid":
      case "hexes":
        return <CellBoard board={board} shown={shown} {...props} />;
      case "heaps":
        return <HeapBoard board={board} shown={shown} {...props} />;
      case "text":
        return <TextView fields={board.fields} {...props} />;
    }
  })();
  if (!notes) return drawn;
  return (
    <div class="declared">
      <div class="declared-board">{drawn}</div>
      <p class="declared-notes">{notes}</p>
    </div>
  );
}

function describe(shown: Showing, view: View, seats: readonly SeatLine[]): string {
  const { board } = shown;
  if (board.type === "heaps") return describeHeaps(board, view, seats);
  if (board.type === "text") return plainText(view, board.fields);
  return describeCells(board, shown, spotsOf(board, view));
}

/** How the card looks that this move is about, where that is declared. */
function cardOf({ board }: Showing, move: string): Piece | null {
  const found = board.type === "heaps" ? meant(board, move) : null;
  return found?.item === undefined ? null : pieceOf(found.pile.pieces, found.item);
}

function sayMove(shown: Showing, move: string): string {
  const { board } = shown;
  if (board.type === "text") return move;
  if (board.type === "heaps") {
    const found = meant(board, move);
    return found && found.item === undefined ? `takes ${found.take} from ${(found.row ?? 0) + 1}` : cardOf(shown, move)?.name || move;
  }
  return patternsOf(board.click).every((pattern) => /^\{(col1?|letter)\}$/.test(pattern)) ? `column ${move}` : move;
}

/** `Captured: 3 1`. */
function notesOf(shown: Showing, view: View): string {
  return Object.entries(shown.notes)
    .map(([words, name]) => `${words}: ${noteOf(shown, fieldOf(view, name)) || "–"}.`)
    .join(" ");
}

/** A field in a line; cards as they look on the board. */
function noteOf(shown: Showing, value: unknown): string {
  if (shown.board.type !== "heaps" || !Array.isArray(value)) return textOf(value);
  const { piles } = shown.board;
  const glyph = (text: string) => piles.map((pile) => pieceOf(pile.pieces, text)?.glyph).find(Boolean) ?? text;
  return value.map((one) => glyph(textOf(one))).join(" ");
}

function turnOf(view: View, seats: readonly SeatLine[]): string {
  const turn = fieldOf(view, "turn");
  return typeof turn === "number" ? `It is ${whoOf(seats[turn])}’s turn.` : "";
}

function todoOf({ phases }: Showing, view: View, seats: readonly SeatLine[], mine: number | null): string {
  const turn = fieldOf(view, "turn");
  if (turn === null) return "";
  const phase = fieldOf(view, "phase");
  const words = typeof phase === "string" ? (phases[phase] ?? "") : Object.values(phases).length === 1 ? Object.values(phases)[0]! : "";
  return turn === mine || typeof turn !== "number" ? words : turnOf(view, seats);
}
