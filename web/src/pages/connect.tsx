// Connect: how programs call this server, dialect by dialect, and what one's own line says.

import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { dialects, OWN } from "../dialects";
import { useGames } from "../games";
import { DialectCard, hostOf, placesFor } from "../parts/connect/dialect";
import { Paste } from "../parts/connect/copy";
import { WireView } from "../parts/connect/wire";
import { Title } from "../parts/page";
import { type Place, useServer } from "../parts/server";

/** What one knows before the server has said more: the page came from somewhere. */
function guessed(): Place[] {
  const port = Number(location.port) || (location.protocol === "https:" ? 443 : 80);
  return [{ host: location.hostname, port, dialect: "any", tls: location.protocol === "https:", tour: false, bot_level: null }];
}

export function ConnectPage() {
  const server = useServer();
  const places = server ? server.listens : guessed();
  useGames();
  const known = dialects.value.length > 0;
  useEffect(() => {
    // The browser looked for this part before it was there.
    if (known) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [known]);
  const carried = dialects.value.filter(({ name, websocket }) => name !== OWN && websocket !== "");
  const socket = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
  return (
    <>
      <Title text="Connect" />
      <div class="connect-top">
        <p>
          Your own program can play here, in any language that has sockets. The server knows which dialect it is spoken to by the first bytes, so one port is enough for all of them, and
          an old client, a browser and a bot can sit at the same table. There are <a href="/examples">programs that play a whole game</a>, one for each dialect that
          comes with the server, and starter bots to change; <a href="/examples.zip" download="rookery-examples.zip">all in one zip</a>.
        </p>
        <nav class="pills" aria-label="Dialects">
          {dialects.value.map(({ name }) => (
            <a key={name} class="pill" href={`#${name}`}>
              {name}
            </a>
          ))}
        </nav>
      </div>
      <section aria-labelledby="dialects-title">
        <h2 id="dialects-title">Dialects</h2>
        <div class="dialects">
          {dialects.value.map((dialect) => (
            <DialectCard key={dialect.name} dialect={dialect} server={server} places={placesFor(places, dialect.name)} />
          ))}
          <article class="card dialect" aria-labelledby="sockets-title">
            <h3 id="sockets-title">WebSocket</h3>
            <p>From a browser, or through a proxy that lets only HTTP pass. One JSON object of the {OWN} dialect a message:</p>
            <Paste text={`${socket}/ws/${OWN}`} label={`the ${OWN} dialect over WebSocket`} />
            {carried.map(({ name, websocket }) => (
              <Fragment key={name}>
                <p>One line of {name} in each text message, without the end of the line:</p>
                <Paste text={`${socket}${websocket}`} label={`${name} over WebSocket`} />
              </Fragment>
            ))}
            <p>
              To look things up there is also an <a href="/api/docs">HTTP API</a>. Pages from elsewhere may not connect.
            </p>
            {places[0] && (
              <p class="hint-text">
                No <code>nc</code>? <code>ncat</code> and <code>{`telnet ${hostOf(places[0])} ${places[0].port}`}</code> do as well.
              </p>
            )}
          </article>
        </div>
      </section>
      <WireView />
    </>
  );
}
