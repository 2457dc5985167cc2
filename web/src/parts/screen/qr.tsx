// An address as a square that cameras read. Black on white in the dark, too: some read nothing else.

import encodeQR from "qr";
import { useMemo } from "preact/hooks";

/** The dark squares of the code of this text, each as a step of one path, and how many squares a side has. */
export function squares(text: string): { path: string; side: number } {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 3 });
  const steps = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { path: steps.join(""), side: rows.length };
}

export function Qr({ text }: { text: string }) {
  const { path, side } = useMemo(() => squares(text), [text]);
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={`QR code of ${text}`} shape-rendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
