// A tour, live: how it stands, who met whom, what is being played, and what to do with it.

import { useMemo } from "preact/hooks";
import * as me from "../me";
import { Boards } from "../parts/tour/boards";
import { Charts } from "../parts/tour/charts";
import { Cross } from "../parts/tour/cross";
import { Entrants } from "../parts/tour/entrants";
import { formatOf } from "../parts/tour/formats";
import { Head } from "../parts/tour/head";
import { Join } from "../parts/tour/join";
import { useTour } from "../parts/tour/live";
import { type Names, namesOf } from "../parts/tour/names";
import { token } from "../parts/tour/organiser";
import { Panel } from "../parts/tour/panel";
import { Schedule } from "../parts/tour/schedule";
import { Standing } from "../parts/tour/standing";
import { Empty, Sorry, Title } from "../parts/page";
import type { MatchLine, TourShown } from "../wire";

const TRF: ReadonlySet<string> = new Set(["swiss", "round_robin"]); // formats that FIDE's report format has cells for
const BESIDE = 8; // entrants whose cross-table has room beside the charts

export function TourPage({ id }: { id: number }) {
  const tour = useTour(id);
  const shown = tour.shown.value;
  const matches = tour.matches.value;
  const names = useMemo(() => namesOf(shown?.entrants ?? []), [shown]);
  if (tour.missing.value) return <Sorry title="This tour cannot be shown" sentence={`${tour.missing.value} The link may be old, or of another server.`} />;
  // Most of the page is made from the matches: without them it would jump when they come.
  if (!shown || !tour.whole.value) {
    return (
      <>
        <Title text={`Tour ${id}`} />
        <div class="tour-coming" aria-busy="true" />
      </>
    );
  }
  const runs = token.value !== "" || (me.player.value !== null && shown.line.owner === me.player.value);
  const begun = shown.line.status !== "open" && matches.length > 0;
  const lives = ["running", "paused", "closing"].includes(shown.line.status);
  const crossed = begun && formatOf(shown.line.format).cross && shown.standing.length > 1;
  const wide = shown.standing.length > BESIDE;
  return (
    <div class="tour">
      <header class="tour-head">
        <Head tour={tour} shown={shown} />
      </header>
      <div class="tour-acts">
        <Join shown={shown} matches={matches} names={names} runs={runs} />
        <Panel shown={shown} names={names} runs={runs} />
      </div>
      {lives && (
        <section aria-labelledby="live">
          <h2 id="live">Now playing</h2>
          <Boards variant={shown.line.variant} matches={matches} />
        </section>
      )}
      {(shown.entrants.length > 0 || shown.line.status === "open") && (
        <div class={crossed && !wide ? "tour-columns" : "tour-columns tour-stacked"}>
          <div class="tour-tables">
            <section class="card" aria-labelledby="standing">
              <h2 id="standing">Standing</h2>
              {shown.entrants.length > 0 ? (
                <>
                  <Standing shown={shown} names={names} />
                  <Exports shown={shown} />
                </>
              ) : (
                <div class="standing-none">
                  <Empty>Whoever joins stands here.</Empty>
                </div>
              )}
            </section>
            {crossed && !wide && <Crossed shown={shown} matches={matches} names={names} />}
          </div>
          {begun && (
            <section class="tour-charts" aria-label="Charts">
              <Charts shown={shown} matches={matches} names={names} />
            </section>
          )}
        </div>
      )}
      {crossed && wide && <Crossed shown={shown} matches={matches} names={names} />}
      <section aria-labelledby="schedule">
        <h2 id="schedule">Schedule</h2>
        {matches.length > 0 ? <Schedule shown={shown} matches={matches} names={names} runs={runs && lives} /> : <Empty>{pairedWhen(shown)}</Empty>}
      </section>
      <section class="card" aria-labelledby="entrants">
        <h2 id="entrants">Entrants</h2>
        {shown.entrants.length > 0 ? <Entrants shown={shown} runs={runs && (lives || shown.line.status === "open")} /> : <Empty>Nobody has joined yet. Be the first, or give the code to the players.</Empty>}
      </section>
    </div>
  );
}

function Crossed({ shown, matches, names }: { shown: TourShown; matches: readonly MatchLine[]; names: Names }) {
  return (
    <section class="card" aria-labelledby="cross">
      <h2 id="cross">Cross-table</h2>
      <Cross shown={shown} matches={matches} names={names} />
    </section>
  );
}

function pairedWhen({ line }: TourShown): string {
  if (line.status === "open") return "The first matches are paired when the tour starts.";
  return line.status === "running" ? "Nothing is paired yet; enough must be free to play." : "No match was paired.";
}

function Exports({ shown }: { shown: TourShown }) {
  const at = `/api/tours/${shown.line.tour}/export`;
  return (
    <p class="exports">
      <span class="faint">Download:</span>
      <a href={`${at}?as=csv&what=standing`} download>
        standing (CSV)
      </a>
      <a href={`${at}?as=csv&what=matches`} download>
        matches (CSV)
      </a>
      <a href={`${at}?as=json`} download>
        all (JSON)
      </a>
      <a href={`${at}?as=md`} download>
        report (Markdown)
      </a>
      {TRF.has(formatOf(shown.line.format).name) && (
        <a href={`${at}?as=trf`} title="for pairing programs" download>
          TRF
        </a>
      )}
    </p>
  );
}
