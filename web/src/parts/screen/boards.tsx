// One board after the other, large enough for a room; whoever stands at the machine can stop it.

import { kitOf } from "../../boards";
import { useEffect, useState } from "preact/hooks";
import type { MatchLine } from "../../wire";
import { variantOf, whoOf } from "../../words";
import { Board } from "../board";
import { useTable } from "../watched-table";

const TURN = 12_000; // milliseconds that a board is shown

export function Stage({ variant, matches }: { variant: string; matches: readonly MatchLine[] }) {
  const tables = matches.flatMap((match) => (match.status === "playing" && match.table !== null ? [match.table] : []));
  const [shown, setShown] = useState(0);
  const [held, setHeld] = useState(false);
  const at = tables.includes(shown) ? shown : (tables.find((table) => table > shown) ?? tables[0] ?? 0);
  const next = () => setShown(tables[(tables.indexOf(at) + 1) % tables.length] ?? 0);
  useEffect(() => {
    if (held || tables.length < 2) return;
    const timer = setTimeout(next, TURN);
    return () => clearTimeout(timer);
  }, [held, at, tables.join()]);
  if (at === 0) return <p class="empty">No match is being played just now.</p>;
  return (
    <>
      <BigBoard key={at} variant={variant} id={at} />
      {tables.length > 1 && (
        <p class="wall-acts">
          <span class="faint">
            {tables.indexOf(at) + 1} of {tables.length} boards
          </span>
          <button type="button" onClick={() => setHeld(!held)} aria-pressed={held}>
            Stay here
          </button>
          <button type="button" onClick={next}>
            Next board
          </button>
        </p>
      )}
    </>
  );
}

function BigBoard({ variant, id }: { variant: string; id: number }) {
  const table = useTable(id);
  const line = table?.line.value ?? null;
  const view = table?.view.value ?? null;
  const seats = line?.seats ?? [];
  const scores = view ? kitOf(variantOf(variant).game)?.scores(view) : null;
  return (
    <div class="wall-board">
      <p class="wall-names">
        {seats.map((seat) => (
          <span key={seat.seat} class={table?.toAct.value.includes(seat.seat) ? "to-act" : ""}>
            {whoOf(seat)} {scores?.[seat.seat] ?? ""}
          </span>
        ))}
        <span class="faint">table {id}</span>
      </p>
      <Board variant={line?.variant ?? variant} view={view} seats={seats} small />
    </div>
  );
}
