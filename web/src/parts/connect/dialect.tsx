// One dialect: what it is, where to call, and a first session for a terminal.

import { playsOf } from "../../dialects";
import type { DialectLine, FirstLines } from "../../wire";
import { hasBots, type Place, type ServerShown } from "../server";
import { Paste } from "./copy";

/** Where this dialect is understood: on ports of its own first, then on those for everyone. */
export function placesFor(places: readonly Place[], dialect: string): readonly Place[] {
  return [...places.filter((place) => place.dialect === dialect), ...places.filter((place) => place.dialect === "any")];
}

/** The name to call a place by: the page's own, where it listens on every address. */
export function hostOf(place: Place): string {
  const everywhere = ["", "0.0.0.0", "::"].includes(place.host);
  return (everywhere ? location.hostname : place.host).replace(/^\[|\]$/g, "");
}

/** What to say first, step by step: what the dialect declares for this server, or its hello alone. */
function stepsOf({ hello, first_session }: DialectLine, server: ServerShown | null): FirstLines[] {
  const steps = first_session.map((step) => (step.alone && !hasBots(server, step.house) ? step.alone : step));
  return steps.length > 0 || hello === "" ? steps : [{ say: "Say who you are:", lines: [hello], answer: [], house: "", alone: null }];
}

export function DialectCard({ dialect, server, places }: { dialect: DialectLine; server: ServerShown | null; places: readonly Place[] }) {
  const { name, about, docs } = dialect;
  const [first] = places;
  return (
    <article class="card dialect" id={name} aria-labelledby={`${name}-title`}>
      <div class="head-row">
        <h3 id={`${name}-title`}>{name}</h3>
        <span class="badge">{playsOf(dialect)}</span>
      </div>
      {about !== "" && <p>{about}</p>}
      <p class="where">
        {places.map((place) => (
          <span key={`${place.host} ${place.port}`}>
            <code>
              {hostOf(place)} {place.port}
            </code>{" "}
            <span class="faint">{remark(place)}</span>
          </span>
        ))}
      </p>
      {first && (
        <ol class="steps">
          <li>
            In a terminal, call the server:
            <Paste text={`nc ${hostOf(first)} ${first.port}`} label={`call the server for ${name}`} />
          </li>
          {stepsOf(dialect, server).map((step, i) => (
            <li key={step.say}>
              {step.say}
              <Paste text={step.lines.join("\n")} label={`${name}, step ${i + 2}`} />
              {step.answer.length > 0 && <Answer lines={step.answer} label={`${name}, what comes back after step ${i + 2}`} />}
            </li>
          ))}
        </ol>
      )}
      {docs !== "" && (
        <p class="dialect-more">
          <a href={docs}>All of {name} in the docs</a>
        </p>
      )}
    </article>
  );
}

function Answer({ lines, label }: { lines: readonly string[]; label: string }) {
  return (
    <details class="answer">
      <summary>What comes back</summary>
      <pre tabIndex={0} aria-label={label}>
        {lines.join("\n")}
      </pre>
    </details>
  );
}

function remark(place: Place): string {
  const words = [place.dialect === "any" ? "understands every dialect" : `${place.dialect} only`];
  if (place.tour) words.push("joins a tour");
  if (place.bot_level !== null) words.push(`bots of level ${place.bot_level}`);
  if (place.tls) words.push("also over TLS");
  return `(${words.join(", ")})`;
}
