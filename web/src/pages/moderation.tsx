// For the organiser: mute and ban players, and lift both.

import { useState } from "preact/hooks";
import { Acting, ACTS, type Act } from "../parts/people/acting";
import { Title } from "../parts/page";
import { token } from "../parts/tour/organiser";
import { TokenDialog } from "../parts/tour/token";

export function ModerationPage() {
  const [asking, setAsking] = useState(false);
  const [act, setAct] = useState<Act | null>(null);
  if (!token.value) {
    return (
      <section class="sorry">
        <Title text="Moderation" />
        <p>This is for the organiser: show the token.</p>
        <p>
          <button type="button" onClick={() => setAsking(true)}>
            I am the organiser
          </button>
        </p>
        {asking && <TokenDialog close={() => setAsking(false)} />}
      </section>
    );
  }
  return (
    <>
      <Title text="Moderation">
        <p>A player’s number is in the address of their page, as in /players/17.</p>
      </Title>
      <p class="acts-row">
        {ACTS.map((one) => (
          <button key={one.path} type="button" onClick={() => setAct(one)}>
            {one.title}
          </button>
        ))}
      </p>
      {act && <Acting act={act} close={() => setAct(null)} />}
    </>
  );
}
