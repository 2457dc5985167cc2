// Tables as rows: what was played, by whom and how it came out, when, and where to look.

import type { SeatLine, TableLine } from "../wire";
import { outcomeOf, timeOf, titleOf, variantOf, whenOf, withNames } from "../words";
import { GameIcon } from "./lobby/icon";
import { TourLink } from "./tour/tour-link";

export interface Listed extends TableLine {
  ended_at?: number | null;
}

export function TableRows({ tables }: { tables: readonly Listed[] }) {
  return (
    <div class="scroll card rows-card">
      <table class="games-table" aria-label="Games">
        <thead>
          <tr>
            <th scope="col">Game</th>
            <th scope="col">Players</th>
            <th scope="col">Clock</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {tables.map((table) => (
            <Row key={table.table} table={table} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ table }: { table: Listed }) {
  return (
    <tr>
      <th scope="row">
        <span class="games-name">
          <GameIcon game={variantOf(table.variant).game} size={28} />
          <a href={`/tables/${table.table}`} aria-label={`${titleOf(table.variant)}, table ${table.table}`}>
            {titleOf(table.variant)}
          </a>
          <span class="faint games-number">table {table.table}</span>
        </span>
      </th>
      <td>
        <ul class="games-players">
          {table.seats.map((seat) => (
            <Player key={seat.seat} seat={seat} table={table} />
          ))}
        </ul>
        {table.outcome && <span class="games-reason faint">{withNames(table.outcome.reason, table.seats)}</span>}
      </td>
      <td data-label="Clock">{timeOf(table.time)}</td>
      <td>
        <When table={table} />
        {table.tour !== null && (
          <>
            {" "}
            <TourLink tour={table.tour} />
          </>
        )}
      </td>
    </tr>
  );
}

function Player({ seat, table }: { seat: SeatLine; table: Listed }) {
  const place = table.outcome?.places[seat.seat];
  const won = place === 1 && outcomeOf(table) !== "A draw.";
  const score = table.outcome?.scores?.[seat.seat];
  return (
    <li class={won ? "won" : ""}>
      {seat.player === null ? <span class="faint">free seat</span> : <a href={`/players/${seat.player}`}>{seat.player_name}</a>}
      {seat.bot && <span class="badge">bot</span>}
      {score !== undefined && <span class="games-score">{score}</span>}
      {won && <span class="badge badge-live">won</span>}
    </li>
  );
}

function When({ table }: { table: Listed }) {
  if (table.status === "playing") return <span class="badge badge-live">live</span>;
  if (table.status === "open") return <span class="badge">waits for players</span>;
  if (table.ended_at == null) return <span class="badge">{table.status}</span>;
  return <time dateTime={new Date(table.ended_at / 1000).toISOString()}>{whenOf(table.ended_at)}</time>;
}
