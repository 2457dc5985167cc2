// The pieces of declared boards: simple shapes in the colours of the seats, around the middle of a cell.

import type { Piece, Showing } from "../wire";

/** The colour that a piece has, by itself or by whose it is. */
export function colourOf(piece: Piece, shown: Showing): string {
  return piece.colour ?? (piece.seat === null ? "grey" : (shown.colours[piece.seat] ?? "grey"));
}

/** What a piece is called, for who cannot see it. */
export function nameOf(piece: Piece | null, says: string | null, shown: Showing): string {
  if (says === null) return "empty";
  return piece ? piece.name || colourOf(piece, shown) : says;
}

export function Shape({ piece, says, shown, fresh = false }: { piece: Piece | null; says: string; shown: Showing; fresh?: boolean }) {
  if (!piece) {
    const size = Math.min(0.5, 1 / Math.max(1, [...says].length));
    return (
      <text class="piece-plain" y={size * 0.36} style={{ fontSize: `${size}px` }}>
        {says}
      </text>
    );
  }
  return (
    <g class={`piece piece-${colourOf(piece, shown)}${fresh ? " put" : ""}`}>
      <Outline piece={piece} says={says} />
      {fresh && piece.shape === "disc" && <circle class="piece-pip" r=".09" />}
    </g>
  );
}

function Outline({ piece, says }: { piece: Piece; says: string }) {
  switch (piece.shape) {
    case "disc":
      return (
        <>
          <circle class="piece-body" r=".38" />
          <circle class="piece-inner" r=".27" />
        </>
      );
    case "ring":
      return <circle class="piece-line" r=".27" />;
    case "cross":
      return <path class="piece-line" d="M-.25 -.25 .25 .25M.25 -.25-.25 .25" />;
    case "square":
      return <rect class="piece-body" x="-.32" y="-.32" width=".64" height=".64" rx=".06" />;
    case "text":
      return (
        <text class="piece-glyph" y=".27">
          {piece.glyph || says}
        </text>
      );
  }
}
