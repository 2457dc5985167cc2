// What a screen reader is told: moves, ends and errors, one after the other, politely.

import { signal } from "@preact/signals";

export const announcement = signal("");
/** A sentence shown for a moment at the head of the page, and announced. */
export const toast = signal<{ text: string; kind: "note" | "error" } | null>(null);

const SHOWN = 6000; // milliseconds

let hiding: ReturnType<typeof setTimeout> | undefined;

/** Say this to whoever cannot see it. */
export function announce(text: string): void {
  // The same words twice are two announcements: a reader speaks only what changed.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}

/** Show this sentence for a while. */
export function tell(text: string, kind: "note" | "error" = "note"): void {
  toast.value = { text, kind };
  clearTimeout(hiding);
  hiding = setTimeout(() => (toast.value = null), SHOWN);
}

/** Show what went wrong. */
export function complain(why: unknown): void {
  tell(why instanceof Error ? why.message : String(why), "error");
}
