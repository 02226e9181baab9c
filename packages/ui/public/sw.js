// The service worker: shows notifications and leads back to the page. It keeps nothing: the page is always the gateway's own.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { fragment = "#/" } = event.notification.data ?? {};
  event.waitUntil(
    (async () => {
      const open = await self.clients.matchAll({ type: "window" });
      const [page] = open;
      const address = new URL(fragment, self.registration.scope).href;
      if (!page) return self.clients.openWindow(address);
      await page.navigate(address);
      return page.focus();
    })(),
  );
});
