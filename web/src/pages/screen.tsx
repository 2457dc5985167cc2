// A tour for a whole room to look at: how one joins and who is in, then boards in turn beside the
// standing, then the podium. It follows the tour by itself; nothing on it needs to be pressed.

import { useMemo } from "preact/hooks";
import { Empty, Sorry, Title } from "../parts/page";
import { Invite } from "../parts/screen/invite";
import { Ladder } from "../parts/screen/ladder";
import { podium } from "../parts/screen/ranks";
import { Stage } from "../parts/screen/boards";
import { Countdown } from "../parts/tour/countdown";
import { StatusBadge, tourName } from "../parts/tour/head";
import { takes } from "../parts/tour/join";
import { useTour } from "../parts/tour/live";
import { type Names, nameOf, namesOf } from "../parts/tour/names";
import { halves } from "../parts/tour/score";
import type { MatchLine, TourShown } from "../wire";
import { count, listOf } from "../words";

export function ScreenPage({ id }: { id: number }) {
  const tour = useTour(id);
  const shown = tour.shown.value;
  const names = useMemo(() => namesOf(shown?.entrants ?? []), [shown]);
  if (tour.missing.value) return <Sorry title="This tour cannot be shown" sentence={tour.missing.value} />;
  if (!shown || !tour.whole.value) return <div class="screen" aria-busy="true" />;
  return (
    <div class="screen">
      <header class="screen-head">
        <Title text={tourName(shown.line)}>
          <StatusBadge status={shown.line.status} />
        </Title>
        <p class="screen-acts">
          <button type="button" onClick={fill}>
            Full screen
          </button>
          <a class="button" href={`/tours/${id}`}>
            Back to the tour
          </a>
        </p>
      </header>
      <Phase shown={shown} matches={tour.matches.value} names={names} />
    </div>
  );
}

function Phase({ shown, matches, names }: { shown: TourShown; matches: readonly MatchLine[]; names: Names }) {
  const { status } = shown.line;
  if (status === "open") {
    return (
      <div class="screen-open">
        <Invite shown={shown} />
        <Countdown shown={shown} />
        <WhoIsIn shown={shown} />
      </div>
    );
  }
  if (status === "ended" || status === "cancelled") {
    return (
      <div class="screen-over">
        {status === "cancelled" ? <Empty>The tour was called off.</Empty> : <Podium shown={shown} names={names} />}
        <section aria-label="Standing">
          <Ladder shown={shown} names={names} />
        </section>
      </div>
    );
  }
  return (
    <>
      <div class="screen-live">
        <section class="wall-stage" aria-label="Now playing">
          <Stage variant={shown.line.variant} matches={matches} />
        </section>
        <section aria-label="Standing">
          <Ladder shown={shown} names={names} />
          <p class="faint">
            {shown.line.played} of {shown.line.matches} matches played.
          </p>
        </section>
      </div>
      {takes(shown) && <Invite shown={shown} small />}
    </>
  );
}

function WhoIsIn({ shown }: { shown: TourShown }) {
  const there = shown.entrants.filter((one) => !one.out);
  return (
    <section class="screen-in" aria-labelledby="in">
      <h2 id="in">{there.length > 0 ? `${count(there.length, "is", "are")} in` : "Nobody is in yet"}</h2>
      <ul>
        {[...there].reverse().map((one) => (
          <li key={one.entrant} class={one.players.every((player) => player.connected) ? "" : "faint"}>
            {one.name}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Podium({ shown, names }: { shown: TourShown; names: Names }) {
  const steps = podium(shown.standing);
  return (
    <ol class="podium" aria-label="Podium">
      {steps.map(({ place, rows }) => (
        <li key={place} class={`podium-${place}`} value={place}>
          <strong>{listOf(rows.map((row) => nameOf(names, row.entrant)))}</strong>
          <span>{halves(rows[0]?.points ?? 0)}</span>
          <b aria-hidden="true">{place}</b>
        </li>
      ))}
    </ol>
  );
}

function fill(): void {
  void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined);
}
