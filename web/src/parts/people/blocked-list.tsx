// Whom I have blocked, in the settings, each with a way back.

import { complain } from "../../announce";
import { blocked, unblock } from "./blocked";

export function BlockedList() {
  if (blocked.value.length === 0) return null;
  return (
    <fieldset>
      <legend>Blocked</legend>
      <ul class="blocked-list">
        {blocked.value.map(({ player, name }) => (
          <li key={player}>
            <span class="names">{name}</span>
            <button type="button" class="quiet" aria-label={`Hear ${name} again`} onClick={() => void unblock(player).catch(complain)}>
              Unblock
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
