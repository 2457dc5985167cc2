// A table that waits for players: take a seat, give it up, invite somebody, start.

import { linkTo } from "../../codes";
import { OWN } from "../../dialects";
import * as me from "../../me";
import type { Table } from "../../tables";
import type { TableLine } from "../../wire";
import { count, spanOf, variantOf } from "../../words";
import { useFocusKept } from "../focus";
import { useGet } from "../page";
import { origins } from "../screen/address";
import { useServer } from "../server";
import { Act } from "./act";
import { copy } from "./stepper";
import { lastOf, ownerOf } from "./story";

export function Waiting({ table, line }: { table: Table; line: TableLine }) {
  const seat = table.seat.value;
  const place = useFocusKept<HTMLElement>();
  const policy = table.policy.value;
  const free = line.seats.filter((one) => one.player === null);
  const server = useServer();
  const found = origins(location, server); // which others can reach
  const link = (found[0] ?? location.origin) + linkTo(table.id);
  const owner = ownerOf(table.moments.value);
  const mineToStart = policy?.begin === "owner" && owner !== null && owner === me.player.value;
  const foreign = policy?.only && policy.only !== OWN ? policy.only : "";
  return (
    <section ref={place} tabIndex={-1} class="card wait" aria-labelledby="wait-title">
      <h2 id="wait-title">{free.length > 0 ? `Waiting for ${count(free.length, "player")}` : "All seats are taken"}</h2>
      {seat === null && owner !== null && owner === me.player.value && (
        <p>You opened this table and do not sit at it. It closes if you close the page or load it anew before anybody sits down.</p>
      )}
      {foreign && <p>This table is for players of the {foreign} dialect; you can watch.</p>}
      <p class="faint">
        {beginning(policy?.begin === "owner", mineToStart, free.length === 0)} <Bots table={table} line={line} />
      </p>
      {lastOf(table.moments.value, "opened")?.private && <p>This table is private: it is in no list, and only who has the link can come or look on.</p>}
      <div class="wait-link">
        <label>
          Link to invite somebody
          <input readOnly value={link} onFocus={(e) => e.currentTarget.select()} />
        </label>
        <button type="button" onClick={() => void copy(link, "The link")}>
          Copy
        </button>
      </div>
      {server && found.length === 0 && (
        <p class="hint-text">
          Only this machine can open it. To let others in, start the server with <code>rookery serve --host 0.0.0.0</code>.
        </p>
      )}
      <div class="acts-row">
        {mineToStart && free.length === 0 && <Act table={table} type="start" text="Start the game" main />}
        {seat !== null && <Act table={table} type="leave" text="Leave the table" />}
      </div>
    </section>
  );
}

/** When the game begins. */
function beginning(owned: boolean, mine: boolean, full: boolean): string {
  if (!owned) return "The game begins when every seat is taken.";
  if (full) return mine ? "The game begins when you start it." : "The game begins when the owner of the table starts it.";
  return mine ? "You can start the game once every seat is taken." : "Once every seat is taken, the owner of the table starts the game.";
}

/** Whether bots of the house will come. */
function Bots({ table, line }: { table: Table; line: TableLine }) {
  const { found } = useGet<{ house: { games: string[]; wait: number } | null }>("/api/server");
  const opened = lastOf(table.moments.value, "opened");
  if (!opened) return null;
  if (opened.house === 0 || opened.policy.only) return <>No bots come to this table.</>;
  if (opened.house) return <>Bots of level {opened.house} take the free seats.</>;
  const house = found?.house;
  if (!house?.games.includes(variantOf(line.variant).game) || opened.policy.begin !== "full") return null;
  return <>If nobody comes, a bot of the house sits down after {spanOf(house.wait)}.</>;
}
