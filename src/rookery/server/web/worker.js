// Says that the server cannot be reached, where a browser would show its own mistake. Everything
// else goes to the server as if this were not here: no page and no script is ever kept.

const KEPT = "offline-DIGEST";
const FILES = ["/offline", "/plain.css", "/assets/icon.svg"];

addEventListener("install", (event) => {
  const keep = caches.open(KEPT).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" }))));
  event.waitUntil(keep.then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const forget = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  event.waitUntil(forget.then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { mode, method, url } = event.request;
  const kept = FILES.includes(new URL(url).pathname);
  if (method !== "GET" || (mode !== "navigate" && !kept)) return;
  const wanted = mode === "navigate" ? "/offline" : new URL(url).pathname;
  event.respondWith(fetch(event.request).catch(async () => (await caches.match(wanted)) ?? Response.error()));
});

// A note that the page had shown was tapped: to the page, where it is open, else to a new one.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const to = event.notification.data;
  const pages = clients.matchAll({ type: "window", includeUncontrolled: true });
  event.waitUntil(
    pages.then(async ([page]) => {
      if (!page) return clients.openWindow(to);
      page.postMessage({ type: "tapped", to });
      return page.focus();
    }),
  );
});
