// The formats of tours that this server has, as it tells of them: asked for with the games.

import { signal } from "@preact/signals";
import type { FormatLine } from "./wire";

/** All formats; empty until they are known. */
export const formats = signal<readonly FormatLine[]>([]);
