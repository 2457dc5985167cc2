// For the organiser: who may not speak or be here, and what was done.

import { useEffect, useState } from "preact/hooks";
import { complain } from "../announce";
import * as line from "../line";
import { Acting, type Wish } from "../parts/people/acting";
import { ActRow, SanctionRow } from "../parts/people/acts";
import { Empty, Title } from "../parts/page";
import { again, token } from "../parts/tour/organiser";
import { TokenDialog } from "../parts/tour/token";
import type { Acts, Sanctions } from "../wire";

interface Seen {
  acts: Acts;
  sanctions: Sanctions;
}

export function ModerationPage() {
  const [asking, setAsking] = useState(false);
  if (token.value) return <Desk />;
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

function Desk() {
  const [seen, setSeen] = useState<Seen | null>(null);
  const [wish, setWish] = useState<Wish | null>(null);
  const stands = line.standing.value;
  const look = () => void see().then(setSeen, complain);
  useEffect(look, [stands, token.value]);
  if (!seen) {
    return (
      <>
        <Title text="Moderation" />
        <Empty>Looking…</Empty>
      </>
    );
  }
  const { acts, sanctions } = seen;
  const held = [...sanctions.muted, ...sanctions.banned];
  return (
    <>
      <Title text="Moderation">
        <p>
          <button type="button" onClick={look}>
            Look again
          </button>{" "}
          <button type="button" onClick={() => setWish({ type: "mute", whom: null, name: "" })}>
            Mute a player
          </button>{" "}
          <button type="button" onClick={() => setWish({ type: "ban", whom: null, name: "" })}>
            Ban a player
          </button>
        </p>
      </Title>
      <section aria-labelledby="held-title">
        <h2 id="held-title">Muted and banned</h2>
        {held.length === 0 ? (
          <Empty>Nobody is.</Empty>
        ) : (
          <ul class="act-list card">
            {held.map((one) => (
              <SanctionRow key={`${one.act} ${one.whom ?? one.home}`} act={one} lift={setWish} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="acts-title">
        <h2 id="acts-title">What was done</h2>
        {acts.acts.length === 0 ? (
          <Empty>Nothing yet.</Empty>
        ) : (
          <ol class="act-list card" tabIndex={0} aria-label="What was done, the newest first">
            {acts.acts.map((one, n) => (
              <ActRow key={`${one.at} ${n}`} act={one} />
            ))}
          </ol>
        )}
      </section>
      {wish && (
        <Acting
          wish={wish}
          close={() => setWish(null)}
          done={() => {
            setWish(null);
            look();
          }}
        />
      )}
    </>
  );
}

async function see(): Promise<Seen> {
  await again();
  const [acts, sanctions] = await Promise.all([
    line.ask<Acts>({ type: "list_acts" }),
    line.ask<Sanctions>({ type: "list_sanctions" }),
  ]);
  return { acts, sanctions };
}
