// Where in the page one is: the address, as a signal, and links that do not load anew.

import { signal } from "@preact/signals";
import { mine } from "./my-tables";
import { keepPlaces, leavePlace } from "./scroll-position";

export const path = signal(location.pathname);
export const query = signal(new URLSearchParams(location.search));

/** Go there, as a link would. */
export function go(to: string, replace = false): void {
  leavePlace();
  if (replace) history.replaceState(history.state, "", to);
  else history.pushState(null, "", to);
  arrive();
  if (replace) return;
  scrollTo(0, 0);
  const part = location.hash.slice(1);
  if (part) requestAnimationFrame(() => document.getElementById(part)?.scrollIntoView());
}

/** The parts of the address if it fits a pattern like `/tables/:n`. */
export function fits(pattern: string, address: string): string[] | null {
  const wanted = pattern.split("/").filter(Boolean);
  const parts = address.split("/").filter(Boolean);
  if (wanted.length !== parts.length) return null;
  const found: string[] = [];
  for (const [i, want] of wanted.entries()) {
    const part = parts[i] ?? "";
    if (want.startsWith(":")) found.push(part);
    else if (want !== part) return null;
  }
  return found;
}

function arrive(): void {
  query.value = new URLSearchParams(location.search);
  path.value = location.pathname;
}

/** Let every plain click on a link within the page be a `go`. */
export function catchLinks(): void {
  keepPlaces();
  addEventListener("popstate", arrive);
  document.addEventListener("click", (click) => {
    if (click.defaultPrevented || click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey) return;
    const link = (click.target as Element | null)?.closest("a");
    if (!link || link.target || link.download || link.origin !== location.origin) return;
    if (/^\/(api|docs|examples|examples\.zip|assets|healthz|metrics)(\/|$)/.test(link.pathname)) return stay(link);
    if (link.pathname === location.pathname && link.hash) return;
    click.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

/** Who leaves the page gives up a seat after a while: from a table, other pages open beside it. */
function stay(link: HTMLAnchorElement): void {
  if (mine.peek().size === 0) return;
  link.target = "_blank";
  setTimeout(() => link.removeAttribute("target")); // once the click is over
}
