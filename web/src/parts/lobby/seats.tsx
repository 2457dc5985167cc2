// Tables that wait for players, each with a button for its free seats.

import { complain } from "../../announce";
import * as line from "../../line";
import * as me from "../../me";
import { go } from "../../route";
import type { SeatLine, TableLine } from "../../wire";
import { calledOf, listOf, timeOf, titleOf, variantOf, whoOf } from "../../words";
import { useBusy } from "../busy";
import { asPlayer } from "../me";
import { Empty } from "../page";
import { GameIcon } from "./icon";

const MOST = 12; // tables that are listed

export function OpenSeats({ tables, openTable }: { tables: readonly TableLine[] | null; openTable: () => void }) {
  const mine = me.player.value;
  const found = (tables ?? []).filter((table) => table.tour === null && !table.seats.some((seat) => mine !== null && seat.player === mine));
  return (
    <section class="card" aria-labelledby="seats-title">
      <div class="head-row">
        <h2 id="seats-title">Open seats</h2>
        <button type="button" onClick={openTable}>
          Open a table
        </button>
      </div>
      {found.length > 0 ? (
        <ul class="rows">
          {found.slice(0, MOST).map((table) => (
            <Row key={table.table} table={table} />
          ))}
        </ul>
      ) : (
        <Empty>{tables ? "Nobody waits just now. Open a table, and everyone sees it here." : "Looking around…"}</Empty>
      )}
      {found.length > MOST && (
        <p class="lobby-more">
          <a href="/tables?status=open">{found.length - MOST} more wait for players</a>
        </p>
      )}
    </section>
  );
}

function Row({ table }: { table: TableLine }) {
  const there = table.seats.filter((seat) => seat.player !== null).map(whoOf);
  const free = table.seats.filter((seat) => seat.player === null);
  return (
    <li class="row">
      <GameIcon game={variantOf(table.variant).game} size={32} />
      <div class="row-text">
        <a href={`/tables/${table.table}`}>{titleOf(table.variant)}</a>
        <span class="faint">
          {there.length > 0 ? `${listOf(there)} ${there.length === 1 ? "waits" : "wait"}` : "Nobody is there yet"} · {timeOf(table.time)}
        </span>
      </div>
      <div class="row-acts">
        {table.seats.length === 2 ? (
          <Sit table={table} text="Sit" />
        ) : (
          free.map((seat) => <Sit key={seat.seat} table={table} seat={seat} text={`Sit as ${calledOf(seat.name)}`} />)
        )}
      </div>
    </li>
  );
}

function Sit({ table, seat, text }: { table: TableLine; seat?: SeatLine; text: string }) {
  const [busy, during] = useBusy();
  const sit = () =>
    asPlayer(() => {
      during(line.ask({ type: "sit", table: table.table, seat: seat?.seat ?? null }))
        .then(() => go(`/tables/${table.table}`), complain);
    });
  return (
    <button type="button" aria-busy={busy} disabled={busy} onClick={sit} aria-label={`${text} at table ${table.table}, ${titleOf(table.variant)}`}>
      {text}
    </button>
  );
}
