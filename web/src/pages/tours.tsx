// All tours: those one can join, those that run, and those that are over.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { JoinByCode } from "../parts/lobby/join";
import { TourCard } from "../parts/tour/card";
import { CreateDialog } from "../parts/tour/create";
import { isOver, useTours } from "../parts/tour/list";
import { token } from "../parts/tour/organiser";
import { TokenDialog } from "../parts/tour/token";
import { Empty, Title } from "../parts/page";
import type { TourLine } from "../wire";

const PAGE = 12; // tours that are over, at first

export function ToursPage() {
  const { tours, wrong } = useTours();
  const [doing, setDoing] = useState<"" | "token" | "create">("");
  const open = tours?.filter((line) => line.status === "open") ?? [];
  const running = tours?.filter((line) => !isOver(line) && line.status !== "open") ?? [];
  const over = tours?.filter(isOver) ?? [];
  return (
    <div class="tours">
      <Title text="Tours">
        <button type="button" onClick={() => setDoing(token.value ? "create" : "token")}>
          Open a tour
        </button>
      </Title>
      {doing === "token" && <TokenDialog close={() => setDoing("")} done={() => setDoing("create")} />}
      {doing === "create" && <CreateDialog close={() => setDoing("")} />}
      <JoinByCode />
      {wrong && <p class="wrong">{wrong}</p>}
      {tours === null ? (
        <div class="tours-coming" aria-busy="true" />
      ) : (
        <>
          <Section id="running" title="Running" tours={running}>
            No tour is running just now.
          </Section>
          <Section id="open" title="Open to join" tours={open}>
            No tour takes players just now. The organiser opens one here, or with <code>rookery tour create</code>.
          </Section>
          <Over tours={over} />
        </>
      )}
    </div>
  );
}

function Section({ id, title, tours, children }: { id: string; title: string; tours: readonly TourLine[]; children: ComponentChildren }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {tours.length === 0 ? (
        <Empty>{children}</Empty>
      ) : (
        <ul class="tour-cards">
          {tours.map((line) => (
            <TourCard key={line.tour} line={line} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Over({ tours }: { tours: readonly TourLine[] }) {
  const [many, setMany] = useState(PAGE);
  return (
    <>
      <Section id="over" title="Over" tours={tours.slice(0, many)}>
        None yet. When a tour ends, its standing and all its games stay here.
      </Section>
      {tours.length > many && (
        <p class="more">
          <button type="button" onClick={() => setMany(many + 4 * PAGE)}>
            Show older ones
          </button>
        </p>
      )}
    </>
  );
}
