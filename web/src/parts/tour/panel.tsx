// The organiser's buttons, for whoever has the token or owns the tour.

import { useState } from "preact/hooks";
import { tell } from "../../announce";
import type { TourShown } from "../../wire";
import { Press } from "../busy";
import { takes } from "./join";
import type { Names } from "./names";
import { type Act, act, resign, token } from "./organiser";
import { Programs } from "./programs";
import { seedable, Seeds } from "./seeds";
import { ConfirmButton } from "./confirm-button";
import { TokenDialog } from "./token";

interface Props {
  shown: TourShown;
  names: Names;
}

export function Panel({ shown, names, runs }: Props & { runs: boolean }) {
  const [asking, setAsking] = useState(false);
  const over = shown.line.status === "ended" || shown.line.status === "cancelled";
  if (over) return null;
  if (!runs) {
    return (
      <p class="organiser-link">
        <button type="button" class="quiet" onClick={() => setAsking(true)}>
          I am the organiser
        </button>
        {asking && <TokenDialog close={() => setAsking(false)} />}
      </p>
    );
  }
  return (
    <section class="card organiser" aria-labelledby="organiser">
      <h2 id="organiser">{token.value ? "You are the organiser" : "Your tour"}</h2>
      {takes(shown) && shown.code && (
        <p>
          Players join with the code <strong class="code">{shown.code}</strong>
        </p>
      )}
      <p>
        {/* A tab of its own, which the organiser's token and so the code are handed to. */}
        <a href={`/tours/${shown.line.tour}/screen`} target="_blank" rel="opener">
          Show it on the wall
        </a>
        : address, QR code, boards and standing, for a whole room, in a tab of its own.
      </p>
      <Buttons shown={shown} names={names} />
      {takes(shown) && <Programs shown={shown} />}
      {token.value && (
        <button type="button" class="quiet" onClick={resign}>
          Forget the token
        </button>
      )}
    </section>
  );
}

function Buttons({ shown, names }: Props) {
  const { tour, status } = shown.line;
  const now = (wish: Act, said: string) => act(tour, wish).then(() => tell(said));
  return (
    <div class="organiser-acts">
      {(status === "open" || status === "paused") && (
        <Press main text={status === "open" ? "Start" : "Go on"} act={() => now({ type: "start" }, "The tour runs.")} />
      )}
      {status === "running" && (
        <Press text="Pause" act={() => now({ type: "pause" }, "The tour pauses.")} />
      )}
      {seedable(shown) && <Seeds shown={shown} names={names} />}
      {status !== "open" && status !== "closing" && (
        <ConfirmButton
          text="End"
          question="End the tour?"
          about="No match begins any more. Those that run are played out and count, and then the standing is final. Some old clients hang up as soon as they hear of the end: to let them finish, pause first."
          yes="End it"
          act={() => act(tour, { type: "end" })}
        />
      )}
      <ConfirmButton
        text="Call off"
        question="Call the tour off?"
        about="Matches that run stop, nobody wins, and nothing of the tour is rated."
        yes="Call it off"
        act={() => act(tour, { type: "cancel" })}
      />
    </div>
  );
}
