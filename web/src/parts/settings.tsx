// What a person chooses for themselves, in one panel; and sound by one click, in the head of every
// page.

import { signal } from "@preact/signals";
import { tell } from "../announce";
import { want, whyNot } from "../notify";
import { choose, settings } from "../settings";
import { play } from "../sounds";
import { Dialog } from "./dialog";
import { BlockedList } from "./people/blocked-list";

const open = signal(false);

const CONFIRM = [
  ["phone", "on phones, in games with a clock"],
  ["always", "always"],
  ["never", "never"],
] as const;

const LOOKS = [
  ["system", "automatic"],
  ["light", "light"],
  ["dark", "dark"],
] as const;

const BOARDS = [
  ["green", "green"],
  ["blue", "blue"],
  ["brown", "brown"],
  ["grey", "grey"],
] as const;

const PIECES = [
  ["drawn", "drawn"],
  ["plain", "letters of chess"],
] as const;

const SPEAKER = "M2 6h3l4-3.5v11L5 10H2z";
const WAVES = "M11 5.5a3.5 3.5 0 0 1 0 5M12.8 3.5a6.3 6.3 0 0 1 0 9";
const CROSS = "M11 6l4 4M15 6l-4 4";
const SLIDERS = "M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7M9 2.7v3.6h3V2.7zM3.5 9.7v3.6h3V9.7z";

/** Sound and settings, for the head of the page. */
export function Chosen() {
  const { sound } = settings.value;
  const toggle = () => {
    choose({ sound: !sound });
    if (!sound) play("move");
  };
  return (
    <div class="chosen">
      <button type="button" class="quiet" aria-pressed={sound} aria-label="Sound" title={sound ? "Sound is on" : "Sound is off"} onClick={toggle}>
        <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
          <path class="sign-full" d={SPEAKER} />
          <path class="sign" d={sound ? WAVES : CROSS} />
        </svg>
      </button>
      <button type="button" class="quiet" aria-label="Settings" title="Settings" onClick={() => (open.value = true)}>
        <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
          <path class="sign" d={SLIDERS} />
        </svg>
      </button>
      {open.value && <Panel close={() => (open.value = false)} />}
    </div>
  );
}

function Panel({ close }: { close: () => void }) {
  const { sound, notify, confirm, premove, dots, looks, boards, pieces } = settings.value;
  const not = whyNot();
  const ask = async (on: boolean) => {
    if (!on) choose({ notify: false });
    else if (!(await want())) tell(whyNot() || "The browser did not allow it.");
  };
  return (
    <Dialog title="Settings" close={close}>
      <div class="panel">
        <fieldset>
          <legend>Being called</legend>
          <Check text="Sound: moves, captures, your turn, low time, begin and end of a game" on={sound} set={(on) => choose({ sound: on })} />
          <Check text="Notifications while this page is out of sight" on={notify && !not} off={not !== ""} set={(on) => void ask(on)} />
          {not && <p class="hint-text">{not}</p>}
        </fieldset>
        <fieldset>
          <legend>Playing</legend>
          <Check text="Choose a move before it is your turn; it is played if it can be" on={premove} set={(on) => choose({ premove: on })} />
          <Check text="Dots where you may play, not on touch screens alone" on={dots === "always"} set={(on) => choose({ dots: on ? "always" : "touch" })} />
          <Choice text="Ask before a move is played" value={confirm} all={CONFIRM} set={(value) => choose({ confirm: value })} />
        </fieldset>
        <fieldset>
          <legend>Looks</legend>
          <div class="panel-row">
            <Choice text="Page" value={looks} all={LOOKS} set={(value) => choose({ looks: value })} />
            <Choice text="Boards" value={boards} all={BOARDS} set={(value) => choose({ boards: value })} />
            <Choice text="Chess pieces" value={pieces} all={PIECES} set={(value) => choose({ pieces: value })} />
          </div>
        </fieldset>
        <BlockedList />
        <p class="hint-text">This browser keeps your choice; nobody else is told.</p>
        <div class="actions">
          <button type="button" class="main" onClick={close}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface ChoiceProps<T extends string> {
  text: string;
  value: T;
  all: readonly (readonly [value: T, words: string])[];
  set: (value: T) => void;
}

function Choice<T extends string>({ text, value, all, set }: ChoiceProps<T>) {
  return (
    <label>
      {text}
      <select value={value} onChange={(e) => set(e.currentTarget.value as T)}>
        {all.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Check({ text, on, off = false, set }: { text: string; on: boolean; off?: boolean; set: (on: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={on} disabled={off} onChange={(e) => set(e.currentTarget.checked)} />
      {text}
    </label>
  );
}
