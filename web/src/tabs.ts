// The tabs of this browser: which of them speaks for its player.
//
// The one that does holds a lock, so any other sees at once that there is one, however busy the
// machine is. A browser has no locks for a plain address of another machine: there tabs ask each
// other over a channel, and who hears nothing for a moment takes it that nobody speaks.

const NAME = "rookery.me";
const ANSWER = 80; // milliseconds

const wire = channel();
// The types say that there always are some.
const locks = navigator.locks as LockManager | undefined;
let speaks = false; // whether this tab does
let letGo = () => {}; // of the lock, or of waiting for it

/** This tab speaks for the player from now on, or does no more. */
export function claim(yes: boolean): void {
  speaks = yes;
  letGo();
  if (!yes || !locks) return;
  const waiting = new AbortController();
  const until = new Promise<void>((resolve) => {
    letGo = () => {
      waiting.abort();
      resolve();
    };
  });
  locks.request(NAME, { signal: waiting.signal }, () => until).catch(() => undefined);
}

/** Whether another tab speaks for the player; to be asked where this one does not. */
export async function isClaimed(): Promise<boolean> {
  try {
    if (!locks) return await ask();
    const { held = [], pending = [] } = await locks.query();
    return [...held, ...pending].some((lock) => lock.name === NAME);
  } catch {
    return ask(); // a browser that keeps nothing has locks that nobody may ask for
  }
}

/** Answer other tabs, and call this when the one that spoke is gone. */
export function listen(left: () => void): void {
  wire?.addEventListener("message", ({ data }) => {
    if (data === "who?" && speaks) wire.postMessage("me");
    if (data === "bye" && !speaks) left();
  });
  addEventListener("pagehide", () => speaks && wire?.postMessage("bye"));
}

function ask(): Promise<boolean> {
  if (!wire) return Promise.resolve(false);
  return new Promise((resolve) => {
    const hear = ({ data }: MessageEvent) => data === "me" && done(true);
    const done = (claimed: boolean) => {
      wire.removeEventListener("message", hear);
      resolve(claimed);
    };
    wire.addEventListener("message", hear);
    wire.postMessage("who?");
    setTimeout(() => done(false), ANSWER);
  });
}

/** Where the tabs of this browser talk; null where it will not let them. */
function channel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(NAME);
  } catch {
    return null;
  }
}
