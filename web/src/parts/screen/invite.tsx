// How one comes to the tour, for everybody in the room to read: address, code, and a square to photograph.

import { useState } from "preact/hooks";
import type { TourShown } from "../../wire";
import { useServer } from "../server";
import { joinLink, origins, typed } from "./address";
import { Qr } from "./qr";

export function Invite({ shown, small = false }: { shown: TourShown; small?: boolean }) {
  const server = useServer();
  const [chosen, setChosen] = useState("");
  const { coded, tour } = shown.line;
  const found = origins(location, server);
  const origin = found.includes(chosen) ? chosen : (found[0] ?? "");
  if (!server) return <div aria-busy="true" />;
  return (
    <section class={small ? "invite invite-small" : "invite"} aria-label="How to join">
      {origin && !(coded && !shown.code) && <Qr text={joinLink(origin, tour, shown.code)} />}
      <dl>
        {origin ? (
          <div>
            <dt>Open</dt>
            <dd class="invite-address">{typed(coded ? origin : joinLink(origin, tour, ""))}</dd>
          </div>
        ) : (
          <Alone />
        )}
        {coded && (
          <div>
            <dt>Code</dt>
            <dd class="invite-code">{shown.code || <span class="faint">known to the organiser</span>}</dd>
          </div>
        )}
      </dl>
      {!small && found.length > 1 && (
        <label class="invite-other">
          This machine has several addresses
          <select value={origin} onChange={(e) => setChosen(e.currentTarget.value)}>
            {found.map((one) => (
              <option key={one} value={one}>
                {typed(one)}
              </option>
            ))}
          </select>
        </label>
      )}
    </section>
  );
}

/** Nobody can be invited to a server that hears only its own machine. */
function Alone() {
  return (
    <div class="invite-alone">
      <dt>Only this machine can reach the server.</dt>
      <dd>
        To let others in, start it with <code>rookery serve --host 0.0.0.0</code>; their address is shown here then.
      </dd>
    </div>
  );
}
