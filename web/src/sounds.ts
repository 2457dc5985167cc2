// Small sounds, made here and now: a knock of wood for a move, notes for what calls somebody.
//
// A browser lets a page be heard only after it was touched, so the first touch wakes them.

import { settings } from "./settings";

export type Sound = "move" | "capture" | "turn" | "low" | "begin" | "end";

/** A note: its pitch in hertz, when it begins and how long it lasts, in seconds. */
type Note = readonly [pitch: number, begins: number, lasts: number, wave?: OscillatorType];

const TUNES: Record<Sound, readonly Note[]> = {
  move: [[196, 0, 0.07, "triangle"]],
  capture: [
    [147, 0, 0.09, "triangle"],
    [233, 0.06, 0.08, "triangle"],
  ],
  turn: [[587, 0.12, 0.22]],
  low: [
    [988, 0, 0.08],
    [988, 0.16, 0.08],
    [988, 0.32, 0.12],
  ],
  begin: [
    [392, 0, 0.14],
    [523, 0.12, 0.14],
    [659, 0.24, 0.3],
  ],
  end: [
    [659, 0, 0.14],
    [523, 0.12, 0.14],
    [392, 0.24, 0.34],
  ],
};
const LOUD = 0.22;
const ATTACK = 0.006; // seconds: less would crackle

const QUIET = 1; // seconds after a sound until the device rests: it takes work also to play nothing

let air: AudioContext | null = null;
let woken = false;
let resting: ReturnType<typeof setTimeout> | undefined;

for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake, { capture: true, passive: true });

/** Let this be heard, if sound is wanted. */
export function play(sound: Sound, volume = 1): void {
  if (!air || !settings.peek().sound) return;
  if (air.state === "suspended") void air.resume().catch(() => undefined);
  for (const note of TUNES[sound]) strike(air, note, volume * LOUD);
  rest(Math.max(...TUNES[sound].map(([, begins, lasts]) => begins + lasts)));
}

/** A touch lets this page be heard, once for all. */
function wake(): void {
  if (woken || !settings.peek().sound) return;
  try {
    air ??= new AudioContext();
    void air.resume().then(
      () => {
        woken = true;
        rest(0);
      },
      () => undefined,
    );
  } catch {
    // A browser without sound.
  }
}

/** Let the device rest once so many seconds have passed, and nothing else sounds. */
function rest(after: number): void {
  clearTimeout(resting);
  resting = setTimeout(() => void air?.suspend().catch(() => undefined), (after + QUIET) * 1000);
}

/** One note that begins at once and fades. */
function strike(on: AudioContext, [pitch, begins, lasts, wave = "sine"]: Note, loud: number): void {
  const at = on.currentTime + begins;
  const [tone, hand] = [on.createOscillator(), on.createGain()];
  tone.type = wave;
  tone.frequency.value = pitch;
  hand.gain.setValueAtTime(0, at);
  hand.gain.linearRampToValueAtTime(loud, at + ATTACK);
  hand.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  tone.connect(hand).connect(on.destination);
  tone.start(at);
  tone.stop(at + lasts);
}
