// Starts the page: reads where it is, joins the parts, connects.
import { Notices } from "./app/notices.ts";
import { notifyOfEvents } from "./app/notify.ts";
import { PreferenceStore } from "./app/preferences.ts";
import { Router } from "./app/route.ts";
import { startWorker } from "./app/start-worker.ts";
import { takeCode } from "./app/take-code.ts";
import type { World } from "./app/world.ts";
import { FIRST_PAGE, PAGE_TITLES } from "./pages/index.ts";
import { Keep } from "./state/keep.ts";
import { Wire } from "./wire/wire.ts";
import { Words } from "./words/index.ts";
import "./app/app.ts";
import "./app/sidebar.ts";

const code = takeCode();
// A link with a code that is opened where the page is shown already changes nothing but the address.
window.addEventListener("hashchange", () => {
  const later = takeCode();
  if (later) wire.signIn({ code: later });
});
const preferences = new PreferenceStore();
const words = new Words(preferences.now.value.language, PAGE_TITLES);
// This origin and no other, whatever an address says.
const url = new URL(".", location.href.replace(/[?#].*$/, ""));
url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
const wire = new Wire({ url: url.href, version: __CHELA_VERSION__, secrets: code ? { code } : {} });
const world: World = {
  wire,
  words,
  preferences,
  keep: new Keep(wire),
  router: new Router(FIRST_PAGE),
  notices: new Notices(),
};
wire.start();
await words.load("app");
Object.assign(document.querySelector("chela-app") ?? {}, { world });
notifyOfEvents(world);
startWorker();
