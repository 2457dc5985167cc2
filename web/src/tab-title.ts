// The browser's tab: what it is called, and its icon. Both say that I am called, whichever page is
// shown, since a tab may be all that is seen of it.

import { effect, signal } from "@preact/signals";

/** What is on the page, by which the tab is called. */
export const shown = signal("");
/** Whether it is my turn on this page, which its name says. */
export const turnHere = signal(false);
/** What else I am called to, in two or three words; empty where nothing calls. */
export const called = signal("");

/** Keep the tab's name and icon true from now on. */
export function keepTab(): void {
  effect(() => {
    document.title = [called.value && `● ${called.value}`, shown.value, "Rookery"].filter(Boolean).join(" · ");
  });

  effect(() => {
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    const wanted = turnHere.value || called.value ? "/assets/icon-call.svg" : "/assets/icon.svg";
    if (icon && icon.getAttribute("href") !== wanted) icon.href = wanted;
  });
}
