// Words for what may be chosen on a board: now, or for one's next turn.

/** Behind the name of a cell that can be clicked. */
export function mayWords(early: boolean): string {
  return early ? "can be chosen for your next turn" : "can be played";
}

/** The same for a piece, and for where it can go once it is chosen. */
export function movesWords(early: boolean, target: boolean): string {
  return (target ? "can go here" : "can be moved") + (early ? " on your next turn" : "");
}
