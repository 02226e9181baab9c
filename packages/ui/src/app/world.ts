// Everything a page may use, handed to it by the frame around it.
import type { Keep } from "../state/keep.ts";
import type { Wire } from "../wire/wire.ts";
import type { Words } from "../words/index.ts";
import type { Notices } from "./notices.ts";
import type { PreferenceStore } from "./preferences.ts";
import type { Router } from "./route.ts";

export interface World {
  readonly wire: Wire;
  readonly keep: Keep;
  readonly words: Words;
  readonly router: Router;
  readonly notices: Notices;
  readonly preferences: PreferenceStore;
}
