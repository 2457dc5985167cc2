// What a person has chosen for themselves: sound, calls, looks. Kept by the browser, in this one
// place, and the same in all its tabs; the server knows nothing of it.

import { signal } from "@preact/signals";

export interface Settings {
  sound: boolean;
  /** Whether the browser is to show a call while the page is out of sight. */
  notify: boolean;
  /** When a move is asked about before it is played: on phones where a clock runs, always, or never. */
  confirm: "phone" | "always" | "never";
  /** Whether a move may be chosen before it is one's turn. */
  premove: boolean;
  /** Whether cells that may be played have a dot: where nothing hovers over them, or always. */
  dots: "touch" | "always";
  /** Light or dark, or as the machine has it. */
  looks: "system" | "light" | "dark";
  /** The colours of boards. */
  boards: "green" | "blue" | "brown" | "grey";
  /** How chess pieces are drawn. */
  pieces: "drawn" | "plain";
}

const KEEP = "rookery.settings";
const USUAL: Settings = { sound: true, notify: false, confirm: "phone", premove: true, dots: "touch", looks: "system", boards: "green", pieces: "drawn" };

export const settings = signal<Settings>(recall());

/** Choose this from now on. */
export function choose(change: Partial<Settings>): void {
  settings.value = { ...settings.peek(), ...change };
  try {
    localStorage.setItem(KEEP, JSON.stringify(settings.peek()));
  } catch {
    // A browser that keeps nothing: it is so until the tab closes.
  }
}

addEventListener("storage", ({ key }) => {
  if (key === KEEP) settings.value = recall();
});

/** What was kept, and what is usual where nothing was, or nothing that fits. */
function recall(): Settings {
  try {
    const kept = JSON.parse(localStorage.getItem(KEEP) ?? "{}") as Record<string, unknown>;
    const fits = Object.entries(USUAL).map(([name, usual]) => [name, typeof kept[name] === typeof usual ? kept[name] : usual]);
    return Object.fromEntries(fits) as Settings;
  } catch {
    return USUAL;
  }
}
