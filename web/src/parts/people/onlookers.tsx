// Who looks on at a table: a count, and the names of those who have one.

import { useEffect, useState } from "preact/hooks";
import { codeFor } from "../../codes";
import * as line from "../../line";
import type { Onlooker, Onlookers, OnlookersChanged } from "../../wire";

interface Seen {
  count: number;
  named: readonly Onlooker[];
}

/** `ready` once the table is watched: who does not may not follow it. */
export function LookingOn({ table, ready }: { table: number; ready: boolean }) {
  const [seen, setSeen] = useState<Seen>({ count: 0, named: [] });
  const stands = line.standing.value;
  useEffect(
    () =>
      line.listen((news) => {
        if (news.type === "onlookers_changed" && (news as OnlookersChanged).table === table) setSeen(news as OnlookersChanged);
      }),
    [table],
  );
  useEffect(() => {
    if (!ready || line.state.peek() !== "up") return;
    line.ask<Onlookers>({ type: "list_onlookers", table, follow: true, code: codeFor(table) }).then(setSeen, () => undefined);
  }, [table, ready, stands]);
  if (seen.count === 0) return null;
  const more = seen.count - seen.named.length;
  return (
    <p class="faint onlookers">
      {seen.count === 1 ? "1 looks on" : `${seen.count} look on`}
      {seen.named.length > 0 && ": "}
      {seen.named.map(({ player, name }, n) => (
        <>
          {n > 0 && ", "}
          <a key={player} href={`/players/${player}`}>
            {name}
          </a>
        </>
      ))}
      {seen.named.length > 0 && more > 0 && ` and ${more} more`}
    </p>
  );
}
