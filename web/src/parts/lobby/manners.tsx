// How a new table is to be kept: who starts the game, and what becomes of who is gone.

export interface Kept {
  begin: string;
  gone: string;
  grace: string; // seconds, as typed
}

export const USUAL: Kept = { begin: "full", gone: "forfeit", grace: "60" };

const GONE = [
  ["forfeit", "they lose when they stay away"],
  ["takeover", "a bot plays on for them"],
  ["hold", "everyone waits; their clock runs on"],
  ["at_once", "they lose at once"],
] as const;

export function Manners({ manners, choose }: { manners: Kept; choose: (change: Partial<Kept>) => void }) {
  const { begin, gone, grace } = manners;
  return (
    <details class="manners">
      <summary>Who starts, and who is gone</summary>
      <label>
        The game starts
        <select name="begin" value={begin} onChange={(e) => choose({ begin: e.currentTarget.value })}>
          <option value="full">when all seats are taken</option>
          <option value="owner">when I say so</option>
        </select>
      </label>
      <label>
        When somebody is gone
        <select name="gone" value={gone} onChange={(e) => choose({ gone: e.currentTarget.value })}>
          {GONE.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {(gone === "forfeit" || gone === "takeover") && (
        <label>
          … for longer than so many seconds
          <input name="grace" type="number" step="any" value={grace} onInput={(e) => choose({ grace: e.currentTarget.value })} />
        </label>
      )}
    </details>
  );
}
