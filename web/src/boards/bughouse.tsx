// Bughouse: two boards side by side, one's own on the left with one's own side at the bottom, the
// partner's on the right, turned the other way, so that partners' pieces move alike.

import type { Color } from "chessground/types";
import type { SeatLine, View } from "../wire";
import { whoOf } from "../words";
import { ChessBoard, SmallChess } from "./chess/board";
import { sayMove } from "./chess/moves";
import { type BoardProps, type Kit, TWO_BOARDS } from "./kit";

interface BughouseView extends View {
  fens: [string, string];
  hands: [string, string, string, string];
  turns: number[];
  in_check: number[];
  plies: number;
}

const WORTH: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9 };

/** The two boards as somebody in this seat sees them, their own first: which, and who is below. */
export function arranged(seat: number | null): { board: 0 | 1; side: Color }[] {
  const own = seat !== null && seat > 1 ? 1 : 0;
  const side: Color = seat !== null && seat % 2 === 1 ? "black" : "white";
  return [
    { board: own, side },
    { board: own === 0 ? 1 : 0, side: side === "white" ? "black" : "white" },
  ];
}

function Board({ view, seat, seats, moves, last, flipped, early, keep, play, small, half }: BoardProps) {
  const { fens, hands, turns, in_check } = view as BughouseView;
  const sides = arranged(flipped ? (seat ?? 0) ^ 1 : seat);
  const shown = half === undefined ? sides : sides.slice(half, half + 1);
  return (
    <div class={small ? "bughouse bughouse-small" : "bughouse"} data-boards={shown.length}>
      {shown.map(({ board, side }) => {
        const [white, black] = [board * 2, board * 2 + 1];
        const turn = turns.includes(white) ? "white" : turns.includes(black) ? "black" : null;
        const mine = String(board + 1);
        const move = last?.move.startsWith(`${mine}:`) ? last.move.slice(2) : null;
        if (small) return <SmallChess key={board} fen={fens[board]} side={side} last={move} />;
        return (
          <ChessBoard
            key={board}
            board={mine}
            fen={fens[board]}
            side={side}
            turn={turn}
            mine={seat === white ? "white" : seat === black ? "black" : null}
            check={in_check.includes(white) || in_check.includes(black)}
            hands={[hands[white] ?? "", hands[black] ?? ""]}
            names={[whoOf(seats[white]), whoOf(seats[black])]}
            moves={moves}
            last={move}
            early={early}
            keep={keep}
            play={play}
          />
        );
      })}
    </div>
  );
}

/** By how much a side has more than the other on its board and in hand, a pawn being one. */
function material(view: BughouseView): number[] {
  const has = [0, 1, 2, 3].map((seat) => {
    const board = (view.fens[seat < 2 ? 0 : 1] ?? "").split(/[[ ]/)[0] ?? "";
    const mine = [...board].filter((letter) => /[a-z]/i.test(letter) && (seat % 2 === 0) === (letter < "a"));
    const all = [...mine, ...(view.hands[seat] ?? "")];
    return all.reduce((sum, letter) => sum + (WORTH[letter.toLowerCase()] ?? 0), 0);
  });
  return has.map((mine, seat) => mine - (has[seat ^ 1] ?? 0));
}

export const bughouse: Kit = {
  Board,
  say: sayMove,
  brief: (move) => move.replace(/^\d:/, ""),
  after: (seat, view) => ((view as BughouseView).in_check.some((checked) => checked >> 1 === seat >> 1) ? "check" : ""),
  took: (effects) => effects.some(({ type }) => type === "handed"),
  describe: (view: View, seats: readonly SeatLine[]) => {
    const { turns, in_check } = view as BughouseView;
    const next = turns.map((seat) => whoOf(seats[seat])).join(" and ");
    const checked = in_check.map((seat) => `${whoOf(seats[seat])} is in check. `).join("");
    return `${checked}${next ? `To move: ${next}.` : ""}`;
  },
  scores: (view) => material(view as BughouseView),
  unit: "material",
  flips: true,
  ahead: true,
  boards: [
    [0, 1],
    [2, 3],
  ],
  ratio: () => TWO_BOARDS,
};
