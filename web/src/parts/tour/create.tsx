// Opening a tour, as the organiser: its plan, field by field. What is left as it is takes the
// server's own word for it, and the server judges the whole.

import { FIRST_GAME } from "../../boards";
import { useState } from "preact/hooks";
import { useGames } from "../../games";
import { go } from "../../route";
import type { GameLine } from "../../wire";
import { gameOf } from "../../words";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { PRESETS, useClock } from "../lobby/clocks";
import { Options } from "../lobby/options";
import { allFormats, formatOf } from "./formats";
import { type Fields, More, Tick } from "./more";
import { write } from "./organiser";
import { USUAL, type Values, wishOf } from "./plan";

export function CreateDialog({ close }: { close: () => void }) {
  const games = useGames();
  const [values, setValues] = useState<Values>(USUAL);
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const set = (name: string, value: string) => setValues((old) => ({ ...old, [name]: value }));
  const game = games?.find((one) => one.name === values.game);
  const clockWords = useClock(values.time ?? "", values.game ?? "");
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    write<{ tour: number }>("/api/tours", wishOf(values, game))
      .then(
        ({ tour }) => go(`/tours/${tour}`),
        (why: Error) => setWrong(why.message),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title="Open a tour" close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")} class="create">
        <label>
          Name
          <input name="name" value={values.name ?? ""} autoFocus placeholder="Club evening" onInput={(e) => set("name", e.currentTarget.value)} />
        </label>
        <div class="pair">
          <label>
            Game
            <select name="game" value={values.game} onChange={(e) => set("game", e.currentTarget.value)}>
              {(games ?? [{ name: FIRST_GAME }]).map((one) => (
                <option key={one.name} value={one.name}>
                  {gameOf(one.name)}
                </option>
              ))}
            </select>
          </label>
          <TimeField value={values.time ?? ""} set={set} />
        </div>
        <p id="about-tour-clock" class="hint-text">
          {clockWords}
        </p>
        {game && <GameFields game={game} values={values} set={set} />}
        <FormatFields values={values} set={set} />
        <CodeFields values={values} set={set} />
        <StartFields values={values} set={set} />
        <More values={values} set={set} game={game} />
        <FormEnd wrong={wrong} act="Open the tour" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}

function TimeField({ value, set }: { value: string; set: Fields["set"] }) {
  return (
    <label>
      Clock
      <input name="time" value={value} required list="times" maxLength={60} spellcheck={false} aria-describedby="about-tour-clock" onInput={(e) => set("time", e.currentTarget.value)} />
      <datalist id="times">
        {PRESETS.map(([time, words]) => (
          <option key={time} value={time} label={words} />
        ))}
      </datalist>
    </label>
  );
}

/** What was chosen of the options of a game or a format. */
function chosenFor(name: string, values: Values): Record<string, string> {
  const own = `${name}.`;
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (key.startsWith(own) ? [[key.slice(own.length), value]] : [])));
}

function GameFields({ game, values, set }: Fields & { game: GameLine }) {
  return (
    <fieldset>
      <legend>{gameOf(game.name)}</legend>
      <p class="faint">{game.about}</p>
      <div class="pair">
        {game.seats.length > 1 && (
          <label>
            Players at a table
            <select name="seats" value={values.seats ?? ""} onChange={(e) => set("seats", e.currentTarget.value)}>
              <option value="">as the format likes</option>
              {game.seats.map((many) => (
                <option key={many} value={String(many)}>
                  {many}
                </option>
              ))}
            </select>
          </label>
        )}
        <Options game={game.name} options={game.options} chosen={chosenFor(game.name, values)} choose={(name, value) => set(`${game.name}.${name}`, value)} />
      </div>
    </fieldset>
  );
}

function FormatFields({ values, set }: Fields) {
  const format = formatOf(values.format ?? "");
  return (
    <fieldset>
      <legend>Format</legend>
      <label>
        Who meets whom
        <select name="format" value={values.format} onChange={(e) => set("format", e.currentTarget.value)}>
          {allFormats().map((one) => (
            <option key={one.name} value={one.name}>
              {one.title}
            </option>
          ))}
        </select>
      </label>
      <p class="faint">{format.about}</p>
      <div class="pair">
        {format.options.map((option) => {
          const key = `${format.name}.${option.name}`;
          if (option.kind === "yes") return <Tick key={key} name={key} text={option.label} on={values[key] === "true"} set={set} />;
          const value = values[key] ?? String(option.initial);
          return (
            <label key={key}>
              {option.label}
              <input name={key} type="number" min={option.least} max={option.most} value={value} onInput={(e) => set(key, e.currentTarget.value)} />
            </label>
          );
        })}
        <Options game={format.name} options={format.told ?? []} chosen={chosenFor(format.name, values)} choose={(name, value) => set(`${format.name}.${name}`, value)} />
        {format.seeded && (
          <label>
            The first seed is
            <select name="seeding" value={values.seeding} onChange={(e) => set("seeding", e.currentTarget.value)}>
              <option value="joined">who joined first</option>
              <option value="rating">who has the best rating</option>
              <option value="hand">whom you say before the start</option>
            </select>
          </label>
        )}
      </div>
    </fieldset>
  );
}

/** A time of day at which it starts by itself. */
function StartFields({ values, set }: Fields) {
  return (
    <label>
      Starts by itself at
      <input name="starts" type="datetime-local" value={values.starts ?? ""} onInput={(e) => set("starts", e.currentTarget.value)} />
    </label>
  );
}

function CodeFields({ values, set }: Fields) {
  return (
    <div class="pair">
      <label>
        Who may join
        <select name="codeKind" value={values.codeKind} onChange={(e) => set("codeKind", e.currentTarget.value)}>
          <option value="drawn">with a code the server draws</option>
          <option value="own">with this code</option>
          <option value="none">anyone, without a code</option>
        </select>
      </label>
      {values.codeKind === "own" && (
        <label>
          Code
          <input
            name="code"
            value={values.code ?? ""}
            required
            maxLength={20}
            pattern="[A-Za-z0-9]+"
            title="letters and digits"
            onInput={(e) => set("code", e.currentTarget.value.toUpperCase())}
          />
        </label>
      )}
    </div>
  );
}
