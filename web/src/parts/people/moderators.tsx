// Who the moderators are; the organiser names and dismisses them.

import type { Onlooker } from "../../wire";
import { Empty } from "../page";
import { token } from "../tour/organiser";
import type { Wish } from "./acting";

export function Moderators({ moderators, act }: { moderators: readonly Onlooker[]; act: (wish: Wish) => void }) {
  return (
    <section aria-labelledby="moderators-title">
      <div class="head-row">
        <h2 id="moderators-title">Moderators</h2>
        {token.value && (
          <button type="button" class="quiet" onClick={() => act({ type: "name_moderator", whom: null, name: "" })}>
            Name one
          </button>
        )}
      </div>
      {moderators.length === 0 ? (
        <Empty>There are none beside the organiser.</Empty>
      ) : (
        <ul class="act-list card">
          {moderators.map(({ player, name }) => (
            <li key={player}>
              <a href={`/players/${player}`}>{name}</a>{" "}
              {token.value && (
                <button type="button" class="quiet" aria-label={`Dismiss ${name}`} onClick={() => act({ type: "dismiss_moderator", whom: player, name })}>
                  Dismiss
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
