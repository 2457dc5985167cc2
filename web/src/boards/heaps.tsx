// Heaps as their game declares them: things to take from the right, or cards to choose one of.

import type { Heaps, Pile, SeatLine, Showing, View } from "../wire";
import { count, whoOf } from "../words";
import { mayWords } from "./early";
import type { BoardProps } from "./kit";
import { Moves } from "./moves";
import { colourOf } from "./piece";
import { fieldOf, patternsOf, pieceOf, split, textOf } from "./reading";
import { useRoving } from "./roving-focus";

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

export function HeapBoard({ board, shown, view, seats, moves, last, pending, early, play, small }: Props) {
  const { at, board: roving } = useRoving<HTMLDivElement>();
  const heaps = heapsOf(board, view, seats);
  const rest = moves.filter((move) => {
    const found = meant(board, move);
    const heap = found && heaps.find(({ pile, n }) => pile === found.pile && (found.item !== undefined || n === found.row));
    return !heap || (typeof heap.holds === "number" && heap.holds > DRAWN);
  });
  const taken = small ? NOTHING : new Map(moves.filter((move) => !rest.includes(move)).map((move) => [keyOf(meant(board, move)!), move]));
  const here = at !== null && taken.has(at) ? at : [...taken.keys()][0];
  const latest = last ? meant(board, last.move) : null;
  const leaving = pending === null ? null : meant(board, pending);
  const words = (key: string) => (early && leaving && key === keyOf(leaving) ? "for your next turn" : mayWords(early));
  return (
    <div class={small ? "board-heaps board-small" : "board-heaps"} {...(small ? { "aria-hidden": "true" as const } : { role: "group", "aria-label": `${shown.title} board` })}>
      <div class="heaps" {...roving} onKeyDown={goOn}>
        {heaps.map((heap) => {
          const was = latest?.pile === heap.pile && latest.item === undefined && latest.row === heap.n ? latest.take : 0;
          return (
            <div class={leaving?.pile === heap.pile && (leaving.item !== undefined || leaving.row === heap.n) ? "heap pending" : "heap"} key={`${heap.pile.cells}${heap.n}`}>
              <span class="heap-label">{heap.label}</span>
              {typeof heap.holds === "number" ? (
                <Things heap={heap} was={was} may={taken} here={here} words={words} play={play} />
              ) : (
                <Cards heap={heap} cards={heap.holds} shown={shown} may={taken} here={here} words={words} play={play} fresh={latest?.item} />
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
  /** Which of them the tab key comes to. */
  here: string | undefined;
  /** That it may be chosen, or was. */
  words: (key: string) => string;
  play: (move: string) => Promise<boolean>;
}

const WAYS: Record<string, readonly [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Arrow keys go along a heap, and from one to the next that has something to choose. */
function goOn(key: KeyboardEvent) {
  const heaps = [...(key.currentTarget as Element).querySelectorAll(".heap")].map((one) => [...one.querySelectorAll("button")]).filter((all) => all.length > 0);
  const row = heaps.findIndex((all) => all.includes(key.target as HTMLButtonElement));
  const at = heaps[row]?.indexOf(key.target as HTMLButtonElement) ?? 0;
  const [down, right] = WAYS[key.key] ?? [0, 0];
  const next = heaps[row + down];
  if (row < 0 || (down === 0 && right === 0)) return;
  next?.[Math.min(at + right, next.length - 1)]?.focus();
  key.preventDefault();
  key.stopPropagation();
}

/** Things in a row: a click takes one, and all that lie right of it. */
function Things({ heap, was, may, here, words, play }: Inside & { was: number }) {
  const { pile, n, label } = heap;
  const holds = heap.holds as number;
  if (holds > DRAWN) return <span class="things faint">{count(holds, pile.thing)}</span>;
  const kind = pile.thing === "card" ? "thing thing-card" : pile.thing === "stick" ? "thing thing-stick" : "thing";
  return (
    <span class="things">
      {Array.from({ length: holds }, (_, at) => {
        const key = keyOf({ pile, row: n, take: holds - at });
        const move = may.get(key);
        if (move === undefined) return <span key={at} class={kind} />;
        return <button key={at} type="button" data-cell={key} tabIndex={key === here ? 0 : -1} class={`${kind} thing-may`} aria-label={`${label}: take ${count(holds - at, pile.thing)}, ${words(key)}`} onClick={() => void play(move)} />;
      })}
      {Array.from({ length: Math.min(was, DRAWN) }, (_, at) => (
        <span key={`gone${at}`} class={`${kind} thing-gone`} />
      ))}
      {holds === 0 && was === 0 && <span class="faint">none</span>}
    </span>
  );
}

function Cards({ heap, cards, shown, may, here, words, play, fresh }: Inside & { cards: readonly string[]; shown: Showing; fresh: string | undefined }) {
  return (
    <span class="cards">
      {cards.map((card, at) => {
        const key = keyOf({ pile: heap.pile, item: card });
        const move = may.get(key);
        const piece = pieceOf(heap.pile.pieces, card);
        const face = piece?.glyph ?? card;
        const ink = /[♥♦]/.test(face) ? " card-red" : "";
        const kind = `card-face${piece && piece.shape !== "text" ? ` piece-${colourOf(piece, shown)}` : ink}${fresh === card && at === cards.length - 1 ? " card-last" : ""}`;
        if (move === undefined) return <span key={`${at}${card}`} class={kind}>{face}</span>;
        return (
          <button key={`${at}${card}`} type="button" data-cell={key} tabIndex={key === here ? 0 : -1} class={`${kind} card-may`} aria-label={`${piece?.name || card}, ${words(key)}`} onClick={() => void play(move)}>
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

/** All that could be taken, as far as clicks go: so many of each heap, or one of the cards. */
export function couldTake(board: Heaps, view: View, seats: readonly SeatLine[]): string[] {
  return heapsOf(board, view, seats).flatMap(({ pile, n, holds }) =>
    patternsOf(pile.click).flatMap((pattern) => {
      const fill = (words: Record<string, string>) => pattern.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "");
      const row = { row: String(n), row1: String(n + 1) };
      if (typeof holds !== "number") return pattern.includes("{item}") ? [...new Set(holds)].map((item) => fill({ ...row, item })) : [];
      if (!pattern.includes("{take}") || holds > DRAWN) return [];
      return Array.from({ length: holds }, (_, at) => fill({ ...row, take: String(at + 1) }));
    }),
  );
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
    .map(({ label, holds, pile }) => `${label}: ${typeof holds === "number" ? count(holds, pile.thing) : holds.map((card) => pieceOf(pile.pieces, card)?.name || card).join(", ") || "none"}.`)
    .join(" ");
}
