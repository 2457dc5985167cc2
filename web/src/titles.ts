// What games are called, as each declares it: empty until the server has said so.

import { signal } from "@preact/signals";

export const titles = signal<Readonly<Record<string, string>>>({});
