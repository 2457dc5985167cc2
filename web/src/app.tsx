// The frame of every page: head, what is shown, and what is said.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { announcement, toast } from "./announce";
import { useGames } from "./games";
import { state } from "./line";
import { trouble } from "./me";
import { mine } from "./my-tables";
import { ConnectPage } from "./pages/connect";
import { LobbyPage } from "./pages/lobby";
import { MissingPage } from "./pages/missing";
import { PlayerPage } from "./pages/player";
import { PlayersPage } from "./pages/players";
import { RulesPage } from "./pages/rules";
import { TablePage } from "./pages/table";
import { TablesPage } from "./pages/tables";
import { TourPage } from "./pages/tour";
import { ToursPage } from "./pages/tours";
import { Call, calls } from "./parts/call";
import { lazily } from "./parts/lazy";
import { Challenged } from "./parts/challenged";
import { Me } from "./parts/me";
import { Reminder } from "./parts/reminder";
import { Chosen } from "./parts/settings";
import { fits, path } from "./route";

const ModerationPage = lazily(() => import("./pages/moderation").then((found) => found.ModerationPage));
const ScreenPage = lazily(() => import("./pages/screen").then((found) => found.ScreenPage));

/** What stands at this address. */
function pageAt(address: string): ComponentChildren {
  const number = (pattern: string): number | null => {
    const found = fits(pattern, address)?.[0];
    return found && /^[1-9]\d{0,14}$/.test(found) ? Number(found) : null;
  };
  if (address === "/") return <LobbyPage />;
  if (address === "/tables") return <TablesPage />;
  if (address === "/tours") return <ToursPage />;
  if (address === "/players") return <PlayersPage />;
  if (address === "/connect") return <ConnectPage />;
  if (address === "/moderation") return <ModerationPage />;
  const table = number("/tables/:n");
  if (table) return <TablePage key={table} id={table} />;
  const tour = number("/tours/:n");
  if (tour) return <TourPage key={tour} id={tour} />;
  const screen = number("/tours/:n/screen");
  if (screen) return <ScreenPage key={screen} id={screen} />;
  const player = number("/players/:n");
  if (player) return <PlayerPage key={player} id={player} />;
  const rules = fits("/rules/:game", address)?.[0];
  if (rules && /^[a-z][a-z0-9_]{0,39}$/.test(rules)) return <RulesPage key={rules} game={rules} />;
  return <MissingPage />;
}

const LINKS = [
  ["/", "Lobby"],
  ["/tables", "Games"],
  ["/tours", "Tours"],
  ["/players", "Players"],
  ["/connect", "Connect"],
] as const;

export function App() {
  const here = path.value;
  useGames(); // every page may ask what can be done in a game
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // Whoever uses a keyboard goes on reading where the new page begins.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [here]);
  if (fits("/tours/:n/screen", here)) {
    // On a wall there is nothing but the tour.
    return (
      <>
        <Trouble />
        <main id="main" ref={main} tabIndex={-1} class="wall">
          {pageAt(here)}
        </main>
        <Said />
      </>
    );
  }
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="head">
        <a class="brand" href="/">
          <img src="/assets/icon.svg" alt="" width="28" height="28" />
          <span>Rookery</span>
        </a>
        <nav aria-label="Pages">
          {LINKS.map(([to, text]) => (
            <a key={to} href={to} aria-current={under(here, to) ? "page" : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <Call />
        {calls.value.length === 0 && <Reminder />}
        <Challenged />
        <Me />
        <Chosen />
      </header>
      <Trouble />
      <main id="main" ref={main} tabIndex={-1}>
        {pageAt(here)}
      </main>
      <footer class="foot">
        <a href="/docs/">Documentation</a>
        <a href="/examples">Examples</a>
        <a href="/api/docs">API</a>
        {mine.value.size > 0 && <span class="faint">These open in a new tab, since you sit at a table.</span>}
      </footer>
      <Said />
    </>
  );
}

function under(here: string, to: string): boolean {
  return to === "/" ? here === "/" : here === to || here.startsWith(`${to}/`);
}

/** Says that the line is down, or that I am nobody here; what is shown stays, and goes on by itself. */
function Trouble() {
  const down = state.value === "down" ? "The server cannot be reached. What you see may be old; the page goes on by itself when it is back." : "";
  const text = trouble.value || down;
  return <div role="status">{text && <p class="trouble">{text}</p>}</div>;
}

function Said() {
  const shown = toast.value;
  return (
    <>
      <div class="unseen" aria-live="polite" aria-atomic="true">
        {announcement.value}
      </div>
      <div class="toasts" role="status">
        {shown && <p class={`toast toast-${shown.kind}`}>{shown.text}</p>}
      </div>
    </>
  );
}
