// The browser's own notes, for who does not see the page: only where they were asked for.

import { go } from "./route";
import { choose, settings } from "./settings";

/** Why notes cannot be had here; empty where they can. */
export function whyNot(): string {
  if (!("Notification" in window)) return isSecureContext ? "This browser has no notifications." : "Browsers show notifications only of pages that come by https.";
  return Notification.permission === "denied" ? "This browser does not let the page show notifications; its settings for this page can allow it." : "";
}

/** Ask the browser for leave, and remember that notes are wanted. False where it says no. */
export async function want(): Promise<boolean> {
  if (whyNot() || (await Notification.requestPermission()) !== "granted") return false;
  choose({ notify: true });
  return true;
}

/** Tell this to who does not look; a click leads to this address. */
export function notify(text: string, to: string): void {
  if (!settings.peek().notify || document.visibilityState === "visible" || whyNot()) return;
  const what = { body: text, tag: to, icon: "/assets/icon.svg" };
  try {
    const note = new Notification("Rookery", what);
    note.onclick = () => {
      window.focus();
      go(to);
      note.close();
    };
  } catch {
    // Phones show notes of a page's worker alone; it leads here when one is tapped.
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification("Rookery", { ...what, data: to })).catch(() => undefined);
  }
}

// The worker says which note was tapped.
navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<{ type?: string; to?: string }>) => {
  if (data?.type === "tapped" && typeof data.to === "string" && data.to.startsWith("/")) go(data.to);
});
