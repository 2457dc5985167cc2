// The lobby: one's own games, a game at once, what is being played, and who waits for whom.

import { FIRST_GAME } from "../boards";
import { useEffect, useMemo, useState } from "preact/hooks";
import { state } from "../line";
import * as me from "../me";
import { LiveCard } from "../parts/lobby/card";
import { JoinByCode } from "../parts/lobby/join";
import { open, playing, tours, useLists } from "../parts/lobby/lists";
import { PlayNow } from "../parts/lobby/now";
import { OpenTable } from "../parts/lobby/open";
import { OpenSeats } from "../parts/lobby/seats";
import { useSlots } from "../parts/lobby/slots";
import { LobbyTours } from "../parts/lobby/tours";
import { BOARDS, Yours } from "../parts/lobby/yours";
import { Empty, Title } from "../parts/page";
import { LobbyChat } from "../parts/people/lobby-chat";
import type { TableLine } from "../wire";

const WATCHED = 8; // tables that are watched at once
const FEW = 4; // of others' on a small screen, where more would be in the way
const NARROW = matchMedia("(max-width: 600px)");
const PATIENCE = 1500; // milliseconds that one's own games are waited for
const NOBODY: readonly TableLine[] = [];

export function LobbyPage() {
  useLists();
  const [opening, setOpening] = useState<string | null>(null);
  const late = useLate(PATIENCE);
  const mine = [...(playing.value ?? NOBODY), ...(open.value ?? NOBODY)].filter(isMine);
  // Who has been here may have games, which stand first: nothing is shown that they would push away,
  // also beside them, since on a phone that stands below.
  const known = me.name.value === "" || playing.value !== null || late || state.value === "down";
  return (
    <>
      <Title text="Lobby">
        <p class="lobby-about">
          Play board games with people, bots and programs, and watch every game as it is played. No account is needed: choose a game below.
        </p>
      </Title>
      <div class="lobby">
        <div class="lobby-main">
          {known ? (
            <>
              {mine.length > 0 && <Yours tables={mine} />}
              <PlayNow openTable={setOpening} />
              <GoingOn room={WATCHED - Math.min(BOARDS, mine.length)} mine={mine.some((table) => table.status === "playing")} />
            </>
          ) : (
            <Empty>Looking for your games…</Empty>
          )}
        </div>
        {known && (
          <div class="lobby-side">
            <OpenSeats tables={open.value} openTable={() => setOpening(FIRST_GAME)} />
            <JoinByCode />
            <LobbyTours tours={tours.value} />
            <LobbyChat />
          </div>
        )}
      </div>
      {opening !== null && <OpenTable game={opening} close={() => setOpening(null)} />}
    </>
  );
}

function isMine(table: TableLine): boolean {
  return me.player.value !== null && table.seats.some((seat) => seat.player === me.player.value);
}

function GoingOn({ room, mine }: { room: number; mine: boolean }) {
  const all = playing.value;
  const player = me.player.value;
  const others = useMemo(() => (all ?? NOBODY).filter((table) => !isMine(table)), [all, player]);
  const slots = useSlots(others, useNarrow() ? Math.min(FEW, room) : room);
  const more = others.length - slots.filter(({ gone }) => gone === null).length;
  return (
    <section aria-labelledby="going-title">
      <div class="head-row">
        <h2 id="going-title">Being played</h2>
        <a href="/tables">All games</a>
      </div>
      {slots.length > 0 ? (
        <div class="lives">
          {slots.map(({ line }) => (
            <LiveCard key={line.table} line={line} />
          ))}
        </div>
      ) : (
        <Empty>{all ? emptyWords(mine) : "Looking around…"}</Empty>
      )}
      {more > 0 && (
        <p class="lobby-more">
          <a href="/tables?status=playing">{more} more {more === 1 ? "is" : "are"} being played</a>
        </p>
      )}
    </section>
  );
}

function emptyWords(mine: boolean): string {
  return mine ? "Nobody else plays just now." : "No game is being played just now. Start one above, and others can watch it here.";
}

/** Whether so many milliseconds have gone by since this was first shown. */
function useLate(milliseconds: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, []);
  return late;
}

/** Whether the screen is a phone's. */
function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => NARROW.matches);
  useEffect(() => {
    const change = () => setNarrow(NARROW.matches);
    NARROW.addEventListener("change", change);
    return () => NARROW.removeEventListener("change", change);
  }, []);
  return narrow;
}
