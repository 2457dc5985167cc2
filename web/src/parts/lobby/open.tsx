// "Open a table": everything that can be chosen about one, and what the server says to it.

import { useState } from "preact/hooks";
import { complain, tell } from "../../announce";
import { keepCode, linkTo, newCode } from "../../codes";
import { useGames } from "../../games";
import * as line from "../../line";
import { go } from "../../route";
import { KEPT } from "../../tables";
import { gameOf, spanOf } from "../../words";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { useBusy } from "../busy";
import { asPlayer } from "../me";
import { hasBots, type ServerShown, useServer } from "../server";
import { PRESETS, useClock, usualClock } from "./clocks";
import { type Chosen, Offers, Options, variantText } from "./options";
import { MoreTerms, termsOf, USUAL } from "./terms";

const OWN = "own";

interface Props {
  game: string;
  /** Who is challenged to come, if anybody is. */
  guest?: { player: number; name: string } | null;
  close: () => void;
}

export function OpenTable({ game: first, guest = null, close }: Props) {
  const games = useGames() ?? [];
  const [name, setName] = useState(first);
  const [chosen, setChosen] = useState<Chosen>({});
  const [seats, setSeats] = useState(0); // 0: as few as the game can have
  const [preset, setPreset] = useState(usualClock(first, false));
  const [own, setOwn] = useState("10m+5s");
  const [house, setHouse] = useState("0"); // a bot would be quicker than whoever is sent the link
  const [terms, setTerms] = useState(USUAL);
  const [hidden, setHidden] = useState(guest !== null);
  const [rated, setRated] = useState(true);
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();

  const alone = terms.only !== ""; // bots of the house speak no dialect
  const welcome = alone || terms.gone === "takeover"; // who would play on may also come first
  const server = useServer();
  const bots = hasBots(server, name) && !alone;
  const game = games.find((one) => one.name === name);
  const counts = game?.seats ?? [];
  const many = seats || (counts[0] ?? 2);
  const time = preset === OWN ? own : preset;
  const clockWords = useClock(time, name);

  const submit = (event: Event) => {
    event.preventDefault();
    setWrong("");
    const variant = variantText(name, game?.options ?? [], chosen);
    const code = hidden ? newCode() : "";
    const wish = { type: "open", rated, code, variant, seats: many, time, house: house === "" || welcome ? null : Number(house), kept: KEPT, ...termsOf(terms, name, many) };
    asPlayer(() => {
      during(line.ask<{ type: string; table: number }>(wish)).then(
        ({ table }) => {
          if (code) keepCode(table, code);
          if (guest) line.ask({ type: "challenge", table, guest: guest.player, code }).then(() => tell(`${guest.name} has been asked.`), complain);
          close();
          go(linkTo(table));
        },
        (why: Error) => setWrong(why.message),
      );
    });
  };
  const change = (to: string) => {
    setName(to);
    setChosen({});
    setSeats(0);
    setTerms({ ...terms, seat: USUAL.seat, only: USUAL.only });
  };
  return (
    <Dialog title={guest ? `Challenge ${guest.name}` : "Open a table"} close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")} class="open-form">
        <label>
          Game
          <select name="game" value={name} onChange={(e) => change(e.currentTarget.value)} autoFocus>
            {games.map((one) => (
              <option key={one.name} value={one.name}>
                {gameOf(one.name)}
              </option>
            ))}
          </select>
        </label>
        <p class="hint-text">{game?.about}</p>
        {counts.length > 1 && (
          <label>
            Seats
            <select name="seats" value={many} onChange={(e) => setSeats(Number(e.currentTarget.value))}>
              {counts.map((n) => (
                <option key={n} value={n}>
                  {n}
                </option>
              ))}
            </select>
          </label>
        )}
        <Offers game={game?.name ?? ""} offers={game?.shown.offers ?? []} options={game?.options ?? []} chosen={chosen} choose={setChosen} />
        <div class="options">
          <Options game={game?.name ?? ""} options={game?.options ?? []} chosen={chosen} choose={(option, value) => setChosen({ ...chosen, [option]: value })} />
        </div>
        <div class="option">
          <label>
            Clock
            <select name="clock" value={preset} aria-describedby="about-clock" onChange={(e) => setPreset(e.currentTarget.value)}>
              {PRESETS.map(([text, words]) => (
                <option key={text} value={text}>
                  {words}
                </option>
              ))}
              <option value={OWN}>Another one…</option>
            </select>
          </label>
          {preset === OWN && (
            <label>
              Your clock
              <input name="time" value={own} required maxLength={60} spellcheck={false} aria-describedby="about-clock" onInput={(e) => setOwn(e.currentTarget.value)} />
            </label>
          )}
          <p id="about-clock" class="hint-text">
            {clockWords}
          </p>
        </div>
        <label>
          Bots
          <select name="house" value={welcome ? "" : house} disabled={welcome} onChange={(e) => setHouse(e.currentTarget.value)}>
            <option value="0">None: it waits for people</option>
            <option value="">{botsWords(bots, alone, server)}</option>
            {[1, 2, 3, 4, 5].map((level) => (
              <option key={level} value={level} disabled={!bots}>
                Level {level}, in all free seats at once
              </option>
            ))}
          </select>
        </label>
        {bots && !welcome && game?.thinking === "random" && <p class="hint-text">Bots of this game move at random, whatever their level.</p>}
        <label class="check">
          <input type="checkbox" name="private" checked={hidden} onChange={(e) => setHidden(e.currentTarget.checked)} />
          Private: in no list, only for who has the link
        </label>
        {!hidden && (
          <label class="check">
            <input type="checkbox" name="rated" checked={rated} onChange={(e) => setRated(e.currentTarget.checked)} />
            Rated: it counts for people's ratings; not with bots, nor where moves may be taken back
          </label>
        )}
        <MoreTerms game={game} seats={many} terms={terms} choose={(change) => setTerms({ ...terms, ...change })} />
        <FormEnd wrong={wrong} act="Open the table" close={close} busy={busy} kind="open-acts" />
      </form>
    </Dialog>
  );
}

/** Whether a bot comes by itself. */
function botsWords(bots: boolean, alone: boolean, server: ServerShown | null): string {
  if (alone) return "None: they speak no dialect";
  if (!bots) return "None, since this server has none";
  return server?.house ? `One comes if nobody else does within ${spanOf(server.house.wait)}` : "One comes if nobody else does";
}
