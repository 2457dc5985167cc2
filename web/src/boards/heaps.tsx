// Heaps as their game declares them: things to take from the right, or cards to choose one of.

import type { Heaps, Pile, SeatLine, Showing, View } from "../wire";
import { count, whoOf } from "../words";
import type { BoardProps } from "./kit";
import { Moves } from "./moves";
import { colourOf } from "./piece";
import { fieldOf, patternsOf, pieceOf, split, textOf } from "./reading";

const DRAWN = 60; // things of a heap; of a larger one only the number is shown, and moves are buttons

export interface Heap {
  pile: Pile;
  n: number;
  label: string;
  /** So many things alike, or cards by their names. */
  holds: number | string[];
}

interface Props extends BoardProps {
  board: Heaps;
  shown: Showing;
}

export function HeapBoard({ board, shown, view, seats, moves, last, play, small }: Props) {
  const heaps = heapsOf(board, view, seats);
  const taken = new Map(moves.flatMap((move) => {
    const found = meant(board, move);
    return found ? [[keyOf(found), move] as const] : [];
  }));
  const rest = moves.filter((move) => {
    const found = meant(board, move);
    const heap = found && heaps.find(({ pile, n }) => pile === found.pile && (found.item !== undefined || n === found.row));
    return !heap || (typeof heap.holds === "number" && heap.holds > DRAWN);
  });
  const latest = last ? meant(board, last.move) : null;
  return (
    <div class={small ? "board-heaps board-small" : "board-heaps"} {...(small ? { "aria-hidden": "true" as const } : { role: "group", "aria-label": `${shown.title} board` })}>
      <div class="heaps">
        {heaps.map((heap) => {
          const was = latest?.pile === heap.pile && latest.item === undefined && latest.row === heap.n ? latest.take : 0;
          return (
            <div class="heap" key={`${heap.pile.cells}${heap.n}`}>
              <span class="heap-label">{heap.label}</span>
              {typeof heap.holds === "number" ? (
                <Things heap={heap} was={was} may={small ? NOTHING : taken} play={play} />
              ) : (
                <Cards heap={heap} cards={heap.holds} shown={shown} may={small ? NOTHING : taken} play={play} fresh={latest?.item} />
              )}
              {typeof heap.holds === "number" && <b class="heap-count">{heap.holds}</b>}
            </div>
          );
        })}
      </div>
      {!small && <Moves moves={rest} play={play} />}
    </div>
  );
}

const NOTHING: ReadonlyMap<string, string> = new Map();

interface Inside {
  heap: Heap;
  may: ReadonlyMap<string, string>;
  play: (move: string) => Promise<boolean>;
}

/** Things in a row: a click takes one, and all that lie right of it. */
function Things({ heap, was, may, play }: Inside & { was: number }) {
  const { pile, n, label } = heap;
  const holds = heap.holds as number;
  if (holds > DRAWN) return <span class="things faint">{count(holds, pile.thing)}</span>;
  const kind = pile.thing === "card" ? "thing thing-card" : pile.thing === "stick" ? "thing thing-stick" : "thing";
  return (
    <span class="things">
      {Array.from({ length: holds }, (_, at) => {
        const move = may.get(keyOf({ pile, row: n, take: holds - at }));
        if (move === undefined) return <span key={at} class={kind} />;
        return <button key={at} type="button" class={`${kind} thing-may`} aria-label={`${label}: take ${count(holds - at, pile.thing)}, can be played`} onClick={() => void play(move)} />;
      })}
      {Array.from({ length: Math.min(was, DRAWN) }, (_, at) => (
        <span key={`gone${at}`} class={`${kind} thing-gone`} />
      ))}
      {holds === 0 && was === 0 && <span class="faint">none</span>}
    </span>
  );
}

function Cards({ heap, cards, shown, may, play, fresh }: Inside & { cards: readonly string[]; shown: Showing; fresh: string | undefined }) {
  return (
    <span class="cards">
      {cards.map((card, at) => {
        const move = may.get(keyOf({ pile: heap.pile, item: card }));
        const piece = pieceOf(heap.pile.pieces, card);
        const red = /[♥♦]/.test(card) ? " card-red" : "";
        const kind = `card-face${piece ? ` piece-${colourOf(piece, shown)}` : red}${fresh === card && at === cards.length - 1 ? " card-last" : ""}`;
        const face = piece?.glyph ?? card;
        if (move === undefined) return <span key={`${at}${card}`} class={kind}>{face}</span>;
        return (
          <button key={`${at}${card}`} type="button" class={`${kind} card-may`} aria-label={`${piece?.name || card}, can be played`} onClick={() => void play(move)}>
            {face}
          </button>
        );
      })}
      {cards.length === 0 && <span class="faint">none</span>}
    </span>
  );
}

interface Meant {
  pile: Pile;
  row?: number;
  take?: number;
  item?: string;
}

/** What a move takes from which pile; null where no pattern fits. */
export function meant(board: Heaps, move: string): (Meant & { take: number }) | null {
  for (const pile of board.piles)
    for (const pattern of patternsOf(pile.click)) {
      const words = Object.fromEntries(split(pattern, [], move) ?? []);
      if (words.item !== undefined) return { pile, item: words.item, take: 1 };
      const row = words.row !== undefined ? Number(words.row) : words.row1 !== undefined ? Number(words.row1) - 1 : 0;
      if (words.take !== undefined) return { pile, row, take: Number(words.take) };
    }
  return null;
}

function keyOf({ pile, row, take, item }: Meant): string {
  return item !== undefined ? `${pile.cells} ${item}` : `${pile.cells} ${row} ${take}`;
}

export function heapsOf(board: Heaps, view: View, seats: readonly SeatLine[]): Heap[] {
  return board.piles.flatMap((pile) => {
    const found = holdsOf(fieldOf(view, pile.cells));
    return found.map((holds, n) => ({ pile, n, holds, label: labelOf(pile, n, found.length > 1, seats) }));
  });
}

function holdsOf(found: unknown): (number | string[])[] {
  if (typeof found === "number") return [found];
  if (typeof found === "string") return [found ? [found] : []];
  if (!Array.isArray(found)) return [];
  if (found.length > 0 && found.every((one) => typeof one === "number" || Array.isArray(one))) return found.map((one: number | unknown[]) => (typeof one === "number" ? one : one.map(textOf)));
  return [found.map(textOf)];
}

function labelOf({ label, cells }: Pile, n: number, many: boolean, seats: readonly SeatLine[]): string {
  const words = label || cells;
  const said = words.replace("{row}", String(n)).replace("{row1}", String(n + 1)).replace("{seat}", whoOf(seats[n]));
  return many && said === words ? `${words} ${n + 1}` : said;
}

export function describeHeaps(board: Heaps, view: View, seats: readonly SeatLine[]): string {
  return heapsOf(board, view, seats)
    .map(({ label, holds, pile }) => `${label}: ${typeof holds === "number" ? count(holds, pile.thing) : holds.join(", ") || "none"}.`)
    .join(" ");
}
