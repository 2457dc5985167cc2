// How the page looks, as one has chosen it: the style sheets have the rest.

import { effect } from "@preact/signals";
import { settings } from "./settings";

/** Keep the page's looks as they were chosen. */
export function keepLooks(): void {
  effect(() => {
    const { looks, boards, pieces, dots } = settings.value;
    Object.assign(document.documentElement.dataset, { looks, boards, pieces, dots });
  });
}
