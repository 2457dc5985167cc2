// How a table is to be kept, or every table of a tour: what becomes of who is gone, what illegal
// moves cost, and who may come. In words, and as the server takes it.

import { OWN } from "../../dialects";

export interface Kept {
  gone: string;
  grace: string; // seconds, as typed
  errors: string; // illegal moves that lose, as typed; 0 is none
  in_a_row: string; // "true" or "false", as are all of these
  out_of_turn: string;
  only: string; // the one dialect whose players may come; empty is any
}

export const USUAL: Kept = { gone: "forfeit", grace: "60", errors: "0", in_a_row: "true", out_of_turn: "false", only: "" };

export const GONE: readonly (readonly [value: string, words: string])[] = [
  ["forfeit", "they lose when they stay away"],
  ["hold", "everyone waits; their clock runs on"],
  ["at_once", "they lose at once"],
];

/** The policy of the native dialect. What is left empty is as usual. */
export function policyOf({ gone, grace, errors, in_a_row, out_of_turn, only }: Kept): Record<string, unknown> {
  return {
    gone,
    grace: Math.round(Number(grace || USUAL.grace) * 1e6),
    errors: { limit: Math.round(Number(errors || USUAL.errors)), in_a_row: in_a_row === "true", out_of_turn: out_of_turn === "true" },
    only,
  };
}

interface Props {
  kept: Kept;
  choose: (name: keyof Kept, value: string) => void;
  gone: typeof GONE;
  /** What is asked about dialects, and which there are to choose from. */
  who: string;
  dialects: readonly string[];
}

export function Manners({ kept, choose, gone, who, dialects }: Props) {
  const given = (event: { currentTarget: { name: string; value: string } }) => choose(event.currentTarget.name as keyof Kept, event.currentTarget.value);
  const waits = kept.gone === "forfeit" || kept.gone === "takeover";
  return (
    <>
      <label>
        {who}
        <select name="only" value={kept.only} onChange={given}>
          <option value="">anyone, whatever they speak</option>
          {dialects.map((dialect) => (
            <option key={dialect} value={dialect}>
              {dialect === OWN ? "only people here, and programs that speak as this page does" : `only ${dialect} clients`}
            </option>
          ))}
        </select>
      </label>
      <label>
        When somebody is gone
        <select name="gone" value={kept.gone} onChange={given}>
          {gone.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {waits && (
        <label>
          … for longer than so many seconds
          <input name="grace" type="number" step="any" value={kept.grace} onInput={given} />
        </label>
      )}
      <label>
        Illegal moves that lose (0: none do)
        <input name="errors" type="number" step="any" value={kept.errors} onInput={given} />
      </label>
      {Number(kept.errors) > 1 && (
        <label>
          … counted
          <select name="in_a_row" value={kept.in_a_row} onChange={given}>
            <option value="true">in a row, without a legal one</option>
            <option value="false">over the whole game</option>
          </select>
        </label>
      )}
      {Number(kept.errors) > 0 && (
        <label>
          Moves out of turn
          <select name="out_of_turn" value={kept.out_of_turn} onChange={given}>
            <option value="false">do not count</option>
            <option value="true">count as illegal moves</option>
          </select>
        </label>
      )}
    </>
  );
}
