// Where the hexagons of the ice lie: flat on top, odd rows half a tile to the right.
//
// Lengths are in sides of a hexagon. A column of the drawing is one and a half sides wide and has
// every second row, so a tile's neighbours above and below are two rows away.

export interface Spot {
  row: number;
  col: number;
}

export const HIGH = Math.sqrt(3) / 2; // half of a hexagon's height
const APART = 1.5; // from one column of the drawing to the next

/** The middle of a tile. */
export function middle({ row, col }: Spot): { x: number; y: number } {
  return { x: 1 + APART * (2 * col + (row % 2)), y: HIGH * (row + 1) };
}

/** All tiles that lie in a line from this one, up to the sea; whoever stands there may be gone by then. */
export function linesFrom(board: readonly (readonly number[])[], from: Spot): Spot[] {
  const ways: ((spot: Spot) => Spot)[] = [
    ({ row, col }) => ({ row: row - 2, col }),
    ({ row, col }) => ({ row: row + 2, col }),
    ...[-1, 1].flatMap((down) => [
      ({ row, col }: Spot) => ({ row: row + down, col: col + (row % 2) }),
      ({ row, col }: Spot) => ({ row: row + down, col: col - 1 + (row % 2) }),
    ]),
  ];
  return ways.flatMap((way) => {
    const line: Spot[] = [];
    for (let at = way(from); (board[at.row]?.[at.col] ?? 0) > 0; at = way(at)) line.push(at);
    return line;
  });
}

/** How much room a board takes. */
export function extent(rows: number, cols: number): { width: number; height: number } {
  return { width: 2 + APART * (2 * cols - (rows > 1 ? 1 : 2)), height: HIGH * (rows + 1) };
}

/** A hexagon around the origin, as a path. */
export function outline(side: number): string {
  const high = (HIGH * side).toFixed(3);
  return `M${-side} 0 ${-side / 2} -${high}H${side / 2}L${side} 0 ${side / 2} ${high}H${-side / 2}Z`;
}

/** The tile under a point of the drawing; null beside the board. */
export function spotAt(x: number, y: number, rows: number, cols: number): Spot | null {
  let best: Spot | null = null;
  let near = HIGH * HIGH;
  const about = Math.round(y / HIGH) - 1;
  for (let row = Math.max(0, about - 1); row <= Math.min(rows - 1, about + 1); row++) {
    const col = Math.round(((x - 1) / APART - (row % 2)) / 2);
    if (col < 0 || col >= cols) continue;
    const at = middle({ row, col });
    const far = (at.x - x) ** 2 + (at.y - y) ** 2;
    if (far < near) [best, near] = [{ row, col }, far];
  }
  return best;
}

/** Where an arrow key leads. Left and right go in a zigzag, and so stay at one height. */
export function stepFrom({ row, col }: Spot, key: string, rows: number, cols: number): Spot | null {
  const to = (row: number, col: number) => (row >= 0 && row < rows && col >= 0 && col < cols ? { row, col } : null);
  const odd = row % 2 === 1;
  switch (key) {
    case "ArrowUp":
      return to(row - 2, col);
    case "ArrowDown":
      return to(row + 2, col);
    case "ArrowRight":
      return odd ? to(row - 1, col + 1) : row + 1 < rows ? to(row + 1, col) : to(row, col + 1);
    case "ArrowLeft":
      return odd ? to(row - 1, col) : row + 1 < rows ? to(row + 1, col - 1) : to(row, col - 1);
    case "Home":
      return to(row, 0);
    case "End":
      return to(row, cols - 1);
    default:
      return null;
  }
}
