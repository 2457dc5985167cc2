// What others type, or photograph, to come to this server.

import type { ServerShown } from "../server";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Where others find the page, the likeliest first; empty where only this machine can. */
export function origins(here: { hostname: string; origin: string }, server: ServerShown | null): string[] {
  // Who came here by an address that is not the machine's own has shown that it works.
  const mine = LOOPBACK.test(here.hostname) ? [] : [here.origin];
  return [...new Set([...mine, ...(server?.reach ?? [])])];
}

/** The link by which one joins a tour at once. */
export function joinLink(origin: string, tour: number, code: string): string {
  return `${origin}/tours/${tour}${code ? `?code=${encodeURIComponent(code)}` : ""}`;
}

/** An address as one types it. */
export function typed(address: string): string {
  return address.replace(/^http:\/\//, "");
}
