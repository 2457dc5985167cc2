// What games are called, as each declares it: empty until the server has said so.

import { signal } from "@preact/signals";

/** What people call an option or a seat, by the game and its name in the rules. */
export const callings = signal<Readonly<Record<string, Readonly<Record<string, string>>>>>({});

export const titles = signal<Readonly<Record<string, string>>>({});
