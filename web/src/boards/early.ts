// Words for what may be chosen on a board: now, or for one's next turn.

/** Behind the name of a cell that can be clicked. */
export function mayWords(early: boolean): string {
  return early ? "can be chosen for your next turn" : "can be played";
}
