// A seat in one line: who sits there, whose turn it is, the score and the clock.

import { seatColour } from "../../boards";
import { delayOf, leftOf, lowOf, now, useTicking } from "../../clock";
import { OWN } from "../../dialects";
import { state } from "../../line";
import type { SeatLine, TableLine } from "../../wire";
import { calledOf, capital, clockOf } from "../../words";
import type { Cursor } from "./cursor";
import { dialectOf } from "./dialects";
import { FreeSeat } from "./free-seat";
import { passedAt } from "./passes";
import { kitFor, outOf, playsOn, teamOf, whyOut } from "./story";

interface Props {
  cursor: Cursor;
  line: TableLine;
  seat: SeatLine;
}

export function Strip({ cursor, line, seat }: Props) {
  const { table } = cursor;
  const live = cursor.live.value;
  const moment = cursor.moment.value;
  const turn = line.status !== "open" && (live ? table.toAct.value : (moment?.to_act ?? [])).includes(seat.seat);
  const view = live ? table.view.value : (moment?.view ?? null);
  const kit = kitFor(line.variant);
  const colour = seatColour(line.variant, seat.seat);
  const scores = (view && kit?.scores(view)) || [];
  const score = scores[seat.seat];
  const sending = table.underway.move.value !== null && !table.underway.asking.value;
  const passed = passedAt(cursor.steps.value, cursor.index.value, seat.seat);
  return (
    <div class={turn ? "strip strip-turn" : "strip"} data-seat={seat.seat}>
      <div class="strip-inside">
        <span class={colour ? `strip-mark seat-mark piece-${colour}` : "strip-mark"} aria-hidden="true" />
        <div class="strip-who">
          <span class="strip-line">
            {seat.player === null ? (
              <FreeSeat table={table} line={line} seat={seat} />
            ) : (
              <a class="strip-name" href={`/players/${seat.player}`} title={seat.player_name}>
                {seat.player_name}
              </a>
            )}
            {turn && <span class="badge badge-turn">{seat.seat !== table.seat.value ? "to move" : sending ? "sending…" : "your turn"}</span>}
            {passed && <span class="badge">{passed}</span>}
            <Place cursor={cursor} line={line} seat={seat} />
          </span>
          <span class="strip-tags">
            {/* Which board it is shows by its place. */}
            <span class="faint">
              {capital(calledOf(seat.name).replace(/ on board \d$/, ""))}
            </span>
            <Tags cursor={cursor} line={line} seat={seat} />
          </span>
        </div>
        {score !== undefined && kit && (
          <span class="strip-score">
            {kit.ahead ? signed(score) : score} <small>{score === 1 ? kit.unit.replace(/s$/, "") : kit.unit}</small>
            {kit.leads && leadOf(scores, seat.seat) > 0 && <small class="strip-lead"> +{leadOf(scores, seat.seat)}</small>}
          </span>
        )}
        {line.time !== "none" && <SeatClock cursor={cursor} line={line} seat={seat} />}
      </div>
    </div>
  );
}

/** By how much a seat has more than the next; nothing where it is not the first. */
function leadOf(scores: readonly number[], seat: number): number {
  return (scores[seat] ?? 0) - Math.max(...scores.filter((_, other) => other !== seat));
}

/** `+3`, `−3`, `±0`. */
function signed(n: number): string {
  return `${n > 0 ? "+" : n < 0 ? "−" : "±"}${Math.abs(n)}`;
}

function Tags({ cursor, line, seat }: Props) {
  if (seat.player === null) return null;
  const mine = cursor.table.seat.value;
  const dialect = dialectOf(seat.player);
  const bot = seat.bot || dialect === "bot";
  const out = whyOut(cursor.steps.value.slice(0, cursor.index.value + 1)).get(seat.seat);
  const away = !seat.connected && line.status !== "over" && line.status !== "closed" && state.value === "up";
  return (
    <>
      {seat.seat === mine && <span class="badge">you</span>}
      {mine !== null && seat.seat !== mine && teamOf(line.variant, seat.seat) === teamOf(line.variant, mine) && <span class="badge">partner</span>}
      {bot ? <span class="badge">bot</span> : dialect && dialect !== OWN && <span class="badge badge-dialect" title={`Speaks the ${dialect} dialect`}>{dialect}</span>}
      {away && <span class="badge badge-away">not here</span>}
      {out !== undefined && (line.status === "playing" || playsOn(line.variant)) && <span class="badge badge-away">out: {out}</span>}
    </>
  );
}

/** How the seat came out, at the end. */
function Place({ cursor, line, seat }: Props) {
  const places = line.outcome?.places;
  const place = places?.[seat.seat];
  if (!cursor.live.value || !places || place === undefined || !places.includes(1)) return null;
  if (playsOn(line.variant) && outOf(cursor.table.moments.value).has(seat.seat)) return null; // its badge says so
  if (place === 1) return <span class="badge badge-won">{places.every((one) => one === 1) ? "draw" : "★ winner"}</span>;
  return places.length > 2 && teamOf(line.variant, 2) === 2 ? <span class="badge">place {place}</span> : null;
}

/** What a seat has left: now, at the step one looks at, or on the way to the next. */
function SeatClock({ cursor, line, seat }: Props) {
  const { table } = cursor;
  const live = cursor.live.value;
  const moment = cursor.moment.value;
  const playing = cursor.playing.value;
  const running = live ? table.toAct.value.includes(seat.seat) && line.status === "playing" : (moment?.to_act ?? []).includes(seat.seat);
  useTicking(running && (playing || (live && state.value === "up")));
  const delay = delayOf(line.time);
  let left: number | null;
  if (live) left = leftOf(table.reading.value, seat.seat, delay, now.value);
  else {
    const reading = { left: moment?.left ?? null, running: moment?.to_act ?? [], taken: 0 };
    const next = cursor.steps.value[cursor.index.value + 1]?.event;
    const spent = next && "spent" in next && next.seat === seat.seat ? next.spent : Number.POSITIVE_INFINITY;
    left = leftOf(reading, seat.seat, delay, Math.min(cursor.elapsed(now.value), spent) / 1000);
  }
  if (left === null) return <span class="clock">–</span>;
  const low = running && left < lowOf(line.time);
  return (
    <span class={`clock${running ? " clock-runs" : ""}${low ? " clock-low" : ""}`} role="timer" aria-label={`Clock of ${seat.player_name || seat.name}`}>
      {clockOf(left)}
    </span>
  );
}
