// How programs join a tour: where to call, and what to say in each dialect.

import { speaking } from "../../dialects";
import { gameFor } from "../../games";
import type { TourShown } from "../../wire";
import { Paste } from "../connect/copy";
import { hostOf } from "../connect/dialect";
import { useServer } from "../server";
import { joinWords, onlyOf } from "./join-words";

export function Programs({ shown }: { shown: TourShown }) {
  const place = useServer()?.listens.find((one) => one.dialect === "any");
  const host = place ? hostOf(place) : location.hostname;
  const port = place?.port ?? (Number(location.port) || 80);
  const only = onlyOf(shown);
  const variant = shown.line.variant;
  const nameless = speaking(variant, gameFor(variant)).filter(({ name, named }) => !named && (only === "" || only === name));
  return (
    <details class="programs">
      <summary>How programs join</summary>
      <p>
        At{" "}
        <code>
          {host} {port}
        </code>
        , each in its own dialect:
      </p>
      <dl>
        {joinWords(shown).map(([dialect, words]) => (
          <div key={dialect}>
            <dt>
              <a href={`/connect#${dialect}`}>{dialect}</a>
            </dt>
            <dd>
              <Paste text={words} label={`join in ${dialect}`} />
            </dd>
          </div>
        ))}
      </dl>
      {nameless.length > 0 && shown.line.coded && (
        <p class="faint">
          Clients of {nameless.map(({ name }) => name).join(" and ")} have no names: they come to a <a href="/docs/settings">port that is set to the code</a>.
        </p>
      )}
    </details>
  );
}
