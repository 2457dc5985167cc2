// What few want to choose about their table, tucked away: one's own seat, who starts the game, and
// the table's manners.

import { OWN, speaking } from "../../dialects";
import type { GameLine } from "../../wire";
import { canTakeBack } from "../../tables";
import { calledOf, capital } from "../../words";
import { GONE, type Kept, Manners, policyOf, USUAL as MANNERS } from "./manners";

export interface Terms extends Kept {
  seat: string; // its number; empty is none
  begin: string;
  takebacks: string; // "true" or "false"
}

export const USUAL: Terms = { ...MANNERS, seat: "0", begin: "full", takebacks: "true" };

const AT_A_TABLE = [...GONE, ["takeover", "a bot of the house plays on for them"]] as const;

/** The fields of `open` that these terms are. */
export function termsOf({ seat, begin, takebacks, ...kept }: Terms, game: string, seats: number): Record<string, unknown> {
  const sits = seat !== "" && mayISit(kept.only);
  const place = Number(seat) < seats ? Number(seat) : null;
  return { sit: sits, seat: sits ? place : null, policy: { begin, ...policyOf(kept) }, takebacks: takebacks === "true" && canTakeBack(game, seats) };
}

/** Whether this page may have a seat itself. */
function mayISit(only: string): boolean {
  return only === "" || only === OWN;
}

interface Props {
  game: GameLine | undefined;
  seats: number;
  terms: Terms;
  choose: (change: Partial<Terms>) => void;
}

export function MoreTerms({ game, seats, terms, choose }: Props) {
  const dialects = game ? speaking(game.name, game).flatMap(({ name, tables }) => (tables ? [name] : [])) : [OWN];
  const names = Array.from({ length: seats }, (_, n) => calledOf(game?.seat_names[n] ?? `seat ${n + 1}`));
  const may = mayISit(terms.only);
  return (
    <details class="manners">
      <summary>More options</summary>
      <label>
        Your seat
        <select name="seat" value={may ? terms.seat : ""} disabled={!may} onChange={(e) => choose({ seat: e.currentTarget.value })}>
          {names.map((name, n) => (
            <option key={name} value={n}>
              {capital(name)}
              {n === 0 && !game?.teams && ", who moves first"}
            </option>
          ))}
          <option value="">None, I only look on</option>
        </select>
      </label>
      <label>
        The game starts
        <select name="begin" value={terms.begin} onChange={(e) => choose({ begin: e.currentTarget.value })}>
          <option value="full">when all seats are taken</option>
          <option value="owner">when I say so, once all are taken</option>
        </select>
      </label>
      {game && canTakeBack(game.name, seats) && (
        <label>
          Moves are taken back
          <select name="takebacks" value={terms.takebacks} onChange={(e) => choose({ takebacks: e.currentTarget.value })}>
            <option value="true">when both agree</option>
            <option value="false">never</option>
          </select>
        </label>
      )}
      <Manners kept={terms} choose={(name, value) => choose({ [name]: value })} gone={AT_A_TABLE} who="Who may sit down" dialects={dialects} />
    </details>
  );
}
