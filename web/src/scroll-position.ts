// How far down the page one is. It is kept with every address of the browser's history, so that
// Back leads to the same place of a list, as soon as the list is there again.

const STILL = 150; // milliseconds without scrolling, after which the place is kept
const FILLED = 3000; // milliseconds in which a page is as long again as it was
const OWN = ["wheel", "touchstart", "pointerdown", "keydown"]; // now one goes where one likes

let still: ReturnType<typeof setTimeout> | undefined;
let stop: (() => void) | null = null; // ends the search for a place, while there is one

/** From now on the page keeps the place, and not the browser, which does not wait for lists. */
export function keepPlaces(): void {
  history.scrollRestoration = "manual";
  addEventListener("popstate", seekPlace);
  addEventListener(
    "scroll",
    () => {
      clearTimeout(still);
      still = setTimeout(keepPlace, STILL);
    },
    { passive: true },
  );
  seekPlace(); // the page was loaded anew
}

/** One goes to another address now. */
export function leavePlace(): void {
  keepPlace();
  stop?.();
}

/** Keep the place with this address; while it is looked for, it is known better than it is seen. */
function keepPlace(): void {
  clearTimeout(still);
  if (!stop) history.replaceState({ y: Math.round(scrollY) }, "");
}

/** Be as far down as one was here, as soon as the page is so long. */
function seekPlace(): void {
  clearTimeout(still);
  stop?.();
  const y = (history.state as { y?: number } | null)?.y;
  if (y === undefined && location.hash) return; // the browser goes to that part
  if (!y) {
    scrollTo(0, 0);
    return;
  }
  const seen = new ResizeObserver(() => {
    scrollTo(0, y);
    if (Math.abs(scrollY - y) <= 1) end();
  });
  const end = () => {
    stop = null;
    seen.disconnect();
    clearTimeout(patience);
    for (const name of OWN) removeEventListener(name, end);
  };
  const patience = setTimeout(end, FILLED);
  for (const name of OWN) addEventListener(name, end, { passive: true });
  stop = end;
  seen.observe(document.body);
}
