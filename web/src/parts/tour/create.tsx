// Opening a tour, as the organiser: its plan, field by field. What is left as it is takes the
// server's own word for it, and the server judges the whole.

import { useState } from "preact/hooks";
import { go } from "../../route";
import type { GameLine } from "../../wire";
import { gameOf } from "../../words";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { Options } from "../lobby/options";
import { useGet } from "../page";
import { FORMATS, formatOf } from "./formats";
import { write } from "./organiser";
import { USUAL, type Values, wishOf } from "./plan";

export function CreateDialog({ close }: { close: () => void }) {
  const { found } = useGet<{ games: GameLine[] }>("/api/games");
  const [values, setValues] = useState<Values>(USUAL);
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const set = (name: string, value: string) => setValues((old) => ({ ...old, [name]: value }));
  const game = found?.games.find((one) => one.name === values.game);
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
      <form onSubmit={submit} class="create">
        <label>
          Name
          <input name="name" value={values.name ?? ""} maxLength={80} autoFocus placeholder="Club evening" onInput={(e) => set("name", e.currentTarget.value)} />
        </label>
        <div class="pair">
          <label>
            Game
            <select name="game" value={values.game} onChange={(e) => set("game", e.currentTarget.value)}>
              {(found?.games ?? [{ name: "reversi" }]).map((one) => (
                <option key={one.name} value={one.name}>
                  {gameOf(one.name)}
                </option>
              ))}
            </select>
          </label>
          <TimeField value={values.time ?? ""} set={set} />
        </div>
        {game && <GameFields game={game} values={values} set={set} />}
        <FormatFields values={values} set={set} />
        <CodeFields values={values} set={set} />
        <More values={values} set={set} />
        <FormEnd wrong={wrong} act="Open the tour" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}

interface Fields {
  values: Values;
  set: (name: string, value: string) => void;
}

function TimeField({ value, set }: { value: string; set: Fields["set"] }) {
  return (
    <label>
      Clock
      <input name="time" value={value} required list="times" onInput={(e) => set("time", e.currentTarget.value)} />
      <datalist id="times">
        {["1m", "1m+1s", "3m+2s", "5m", "5m+3s", "15m", "10s/move", "none"].map((time) => (
          <option key={time} value={time} />
        ))}
      </datalist>
    </label>
  );
}

function GameFields({ game, values, set }: Fields & { game: GameLine }) {
  const chosen = Object.fromEntries(game.options.flatMap(({ name }) => (values[`${game.name}.${name}`] === undefined ? [] : [[name, values[`${game.name}.${name}`] ?? ""]])));
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
        <Options options={game.options} chosen={chosen} choose={(name, value) => set(`${game.name}.${name}`, value)} />
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
          {FORMATS.map((one) => (
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
      </div>
    </fieldset>
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

function More({ values, set }: Fields) {
  const number = (name: string, text: string, initial: number, least: number, most: number) => (
    <label>
      {text}
      <input name={name} type="number" min={least} max={most} value={values[name] ?? String(initial)} onInput={(e) => set(name, e.currentTarget.value)} />
    </label>
  );
  return (
    <details>
      <summary>More</summary>
      <div class="pair">
        <label>
          Points for win, draw, loss
          <input name="points" value={values.points} list="worths" onInput={(e) => set("points", e.currentTarget.value)} />
          <datalist id="worths">
            <option value="1-0.5-0" />
            <option value="3-1-0" />
            <option value="2-1-0" />
          </datalist>
        </label>
        {number("absent", "Minutes one may be away", 5, 0, 10080)}
        {number("parallel", "Games at once (0: any number)", 0, 0, 1000)}
        {number("at_once", "Games at once for one player", 1, 1, 50)}
      </div>
      <div class="ticks">
        <Tick name="fair" text="Both legs of a pair begin alike" on={values.fair === "true"} set={set} />
        <Tick name="late" text="One may join late, where the format can do it" on={values.late === "true"} set={set} />
        <Tick name="rated" text="Its games count for ratings" on={values.rated === "true"} set={set} />
        <Tick name="strict" text="Who is out of a game is out of the tour" on={values.strict === "true"} set={set} />
        <Tick name="stays" text="It waits for you to end it when all is played" on={values.stays === "true"} set={set} />
      </div>
    </details>
  );
}

function Tick({ name, text, on, set }: { name: string; text: string; on: boolean; set: Fields["set"] }) {
  return (
    <label class="tick">
      <input type="checkbox" name={name} checked={on} onChange={(e) => set(name, String(e.currentTarget.checked))} />
      {text}
    </label>
  );
}
