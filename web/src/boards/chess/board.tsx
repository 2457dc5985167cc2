// One chess board with both hands: chessground draws and moves, the rest is asked and played here.
//
// A piece is moved or dropped by dragging, by two clicks, or with the keyboard; all end in `play`
// with the server's text. The server's answer, a new view, is what the board shows in the end.

import { Chessground } from "chessground/chessground";
import type { Api } from "chessground/api";
import { dropNewPiece } from "chessground/board";
import { dragNewPiece } from "chessground/drag";
import { read } from "chessground/fen";
import type { Color, Key, Role } from "chessground/types";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { announce, tell } from "../../announce";
import type { Kept } from "../../premove";
import { Hand } from "./hand";
import { LETTERS, ROLES, choicesOn, squaresOf } from "./moves";
import { Promotion } from "./promotion";
import { Squares } from "./squares";

interface Props {
  /** `1` or `2`. */
  board: string;
  fen: string;
  /** Whose side is at the bottom. */
  side: Color;
  turn: Color | null;
  /** The colour that one plays on it, if any. */
  mine: Color | null;
  check: boolean;
  /** By colour, white first. */
  hands: [string, string];
  names: [string, string];
  moves: readonly string[];
  last: string | null;
  /** Whether one may choose what is played when one's turn comes, or once it is known what may be played. */
  early: boolean;
  /** Told of what is chosen so. */
  keep: ((kept: Kept | null) => void) | undefined;
  play: (move: string) => Promise<boolean>;
}

const OTHER: Record<Color, Color> = { white: "black", black: "white" };
const HAND = "a0"; // where chessground has a piece that is on no square yet

export function ChessBoard({ board, fen, side, turn, mine, check, hands, names, moves, last, early: choosing, keep, play }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [ahead, setAhead] = useState<readonly Key[]>([]); // from where to where, or where a drop goes, for one's next turn
  const [pawn, setPawn] = useState<string | null>(null); // a move that lacks its promotion
  const sent = useRef<string | null>(null); // the position in which a move was sent, until it is answered
  const drawn = useRef(""); // the position that was last given to it
  const choices = choicesOn(board, moves);
  const live = moves.some((move) => move.startsWith(`${board}:`));
  const pieces = useMemo(() => read(fen), [fen]);
  const held = mine === null ? "" : hands[mine === "white" ? 0 : 1].toUpperCase();
  // A move may be chosen that is played when it is known that it can be.
  const early = !live && mine !== null && turn !== null && choosing;
  const send = (move: string) => {
    setChosen(null);
    setPawn(null);
    if (choices.has(move)) {
      sent.current = fen;
      draw(move);
      void play(`${board}:${move}`).then((taken) => {
        if (taken) return;
        sent.current = null;
        ground.current?.set({ fen: now.current.fen }); // back to where it was
      });
    } else {
      ground.current?.set({ fen });
    }
  };
  /** Draw it as if it were played, where that was not done by hand. */
  const draw = (move: string) => {
    const made = ground.current;
    const [from, to] = squaresOf(move);
    if (!made || !from) return;
    if (to && made.state.pieces.has(from)) made.move(from, to);
    const role = ROLES[move.charAt(0)];
    if (move.includes("@") && role && turn) made.setPieces(new Map([[from, { role, color: turn }]]));
  };
  const lookAgain = () => ground.current?.state.dom.bounds.clear(); // where it lies: what is above may have grown
  const toSquares = () => place.current?.parentElement?.querySelector<HTMLElement>(".chess-squares [tabindex='0']")?.focus({ preventScroll: true });
  const moved = (from: Key, to: Key) => {
    if (choices.has(`${from}${to}q`)) setPawn(`${from}${to}`);
    else send(`${from}${to}`);
  };
  // Chessground keeps the functions it was given: let them see what is true now.
  const plan = (keys: readonly Key[], words = keys.join(" to ")) => {
    setAhead(keys);
    if (ground.current) keep?.({ words: keys.length > 0 ? words : "", cancel: () => now.current.cancel() });
    if (keys.length > 0) announce(`For your next turn: ${words}. Escape takes it back.`);
  };
  /** Drop a piece from the hand, now or for one's next turn; what cannot be is put back. */
  const dropped = (letter: string, key: Key) => {
    const made = ground.current;
    const role = ROLES[letter];
    setChosen(null);
    if (!early) {
      if (choices.drops.get(letter)?.includes(key)) send(`${letter}@${key}`);
    } else if (made && role && mine && pieces.get(key)?.color !== mine) {
      made.state.pieces.set(HAND, { role, color: mine });
      dropNewPiece(made.state, HAND, key);
      made.state.dom.redraw();
    }
  };
  const cancel = () => {
    setChosen(null);
    ground.current?.selectSquare(null);
    ground.current?.cancelPremove();
    ground.current?.cancelPredrop();
  };
  const now = useRef({ moved, send, plan, dropped, cancel, chosen, fen });
  now.current = { moved, send, plan, dropped, cancel, chosen, fen };

  useLayoutEffect(() => {
    if (!place.current) return;
    const made = Chessground(place.current, {
      coordinates: true,
      addPieceZIndex: false,
      premovable: { enabled: false, castle: true, events: { set: (from, to) => now.current.plan([from, to]), unset: () => now.current.plan([]) } },
      predroppable: { enabled: false, events: { set: (role, key) => now.current.plan([key], `${role} on ${key}`), unset: () => now.current.plan([]) } },
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 180 },
      movable: {
        free: false,
        rookCastle: false,
        events: {
          after: (from, to) => now.current.moved(from, to),
          afterNewPiece: (role: Role, key) => now.current.send(`${LETTERS[role]}@${key}`),
        },
      },
      events: {
        select: (key) => {
          const letter = now.current.chosen;
          if (letter && letter in ROLES) now.current.dropped(letter, key);
        },
      },
    });
    ground.current = made;
    // It sees by itself when its size changes; drawn anew while it takes no moves, it would never take one again.
    return () => {
      ground.current = null;
      made.destroy();
    };
  }, []);

  useLayoutEffect(() => {
    // The move shows already, though the server has not answered: leave it where it is.
    if (sent.current === fen && !live) return;
    sent.current = null;
    const spots = chosen ? (choices.drops.get(chosen) ?? choices.dests.get(chosen as Key) ?? []) : [];
    const shown = new Map(spots.map((key) => [key, pieces.has(key) ? "move-dest oc" : "move-dest"]));
    if (chosen && choices.dests.has(chosen as Key)) shown.set(chosen as Key, "selected");
    ground.current?.set({
      // Only what is new: a piece on its way from the hand would be lost.
      ...(drawn.current === fen ? {} : { fen }),
      orientation: side,
      check: check && turn ? turn : false,
      lastMove: last ? squaresOf(last) : [],
      highlight: { custom: shown },
      // Not `viewOnly`: a board that is drawn anew while it is so would take no moves ever after.
      draggable: { enabled: live || early },
      selectable: { enabled: live || early },
      premovable: { enabled: mine !== null },
      predroppable: { enabled: mine !== null },
      // It takes moves ahead of who is not to move: until it is known what may be played, nobody is.
      ...(turn ? { turnColor: early && mine ? OTHER[mine] : turn } : {}),
      movable: live && turn ? { color: turn, dests: choices.dests } : early && mine ? { color: mine, dests: new Map() } : { dests: new Map() },
    });
    // What cannot be played is taken from the board by this.
    const made = ground.current;
    const meant = made?.state.premovable.current ?? made?.state.predroppable.current;
    if (live && made && meant) {
      if (!made.playPremove() && !made.playPredrop(({ role, key }) => choices.has(`${LETTERS[role]}@${key}`))) tell("The move you chose cannot be played now.");
    } else if (!early && turn !== mine) {
      made?.cancelPremove(); // else its moves are on their way
      made?.cancelPredrop();
    }
    drawn.current = fen;
  }, [fen, side, turn, check, last, live, early, chosen, moves]);
  useEffect(() => {
    setChosen((one) => (one !== null && held.includes(one) ? one : null)); // what was taken from the hand may still be dropped
    setPawn(null);
  }, [fen]);

  useEffect(() => {
    if (mine === null) return;
    // From the beginning: chessground tells of what is chosen a moment later than it takes it.
    keep?.({ words: "", cancel: () => now.current.cancel() });
    return () => keep?.(null);
  }, [mine]);

  const press = (key: Key) => {
    if (chosen && chosen in ROLES) {
      dropped(chosen, key);
    } else if (early) {
      // As with the mouse: a piece of one's own, and then where it may want to go.
      ground.current?.selectSquare(key);
      setChosen(ground.current?.state.selected ?? null);
    } else if (chosen && choices.dests.get(chosen as Key)?.includes(key)) {
      moved(chosen as Key, key);
    } else {
      setChosen(choices.dests.has(key) ? key : null);
    }
  };
  const mark = (from: Key, to: Key) => {
    const shapes = ground.current?.state.drawable.shapes ?? [];
    const same = (one: { orig: Key; dest?: Key | undefined }) => one.orig === from && (one.dest ?? one.orig) === to;
    const others = shapes.filter((one) => !same(one));
    ground.current?.setShapes(others.length < shapes.length ? others : [...shapes, from === to ? { orig: from, brush: "green" } : { orig: from, dest: to, brush: "green" }]);
  };
  const hand = (colour: Color) => {
    const i = colour === "white" ? 0 : 1;
    const may = live && colour === turn ? [...choices.drops.keys()] : early && colour === mine ? [...held] : [];
    return (
      <Hand
        owner={`${names[i]}:`}
        side={colour}
        hand={hands[i] ?? ""}
        may={new Set(may)}
        chosen={may.length > 0 ? chosen : null}
        choose={(letter, keyed) => {
          setChosen(chosen === letter ? null : letter);
          if (keyed && chosen !== letter) toSquares();
        }}
        drag={(letter, event) => {
          const role = ROLES[letter];
          lookAgain();
          if (ground.current && role) dragNewPiece(ground.current.state, { role, color: colour }, event, false);
        }}
      />
    );
  };
  return (
    <div class="chess">
      {hand(OTHER[side])}
      <div class={live ? "chess-board" : "chess-board chess-still"}>
        <div ref={place} class="chess-ground" onPointerDownCapture={lookAgain} />
        <Squares label={`Board ${board}`} pieces={pieces} side={side} choices={choices} chosen={chosen} early={early ? mine : null} ahead={ahead} choose={press} cancel={cancel} mark={mark} />
        {pawn && turn && (
          <Promotion
            side={turn}
            choose={(letter) => {
              toSquares();
              send(pawn + letter);
            }}
            cancel={() => {
              toSquares();
              setPawn(null);
              ground.current?.set({ fen });
            }}
          />
        )}
      </div>
      {hand(side)}
    </div>
  );
}

/** A board to look at in a list: no hands, nothing to play. */
export function SmallChess({ fen, side, last }: { fen: string; side: Color; last: string | null }) {
  const place = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  useLayoutEffect(() => {
    if (!place.current) return;
    const made = Chessground(place.current, { viewOnly: true, coordinates: false, drawable: { enabled: false, visible: false } });
    ground.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    ground.current?.set({ fen, orientation: side, lastMove: last ? squaresOf(last) : [] });
  }, [fen, side, last]);
  return <div ref={place} class="chess-ground" aria-hidden="true" />;
}
