// Opens the search through what was said, with the first search.
import { join } from "node:path";
import type { House } from "./house.ts";
import { HistorySearch } from "../rooms/search/room.ts";
import { shownWords } from "../base/text/shown-words.ts";

export function openSearch({
  ledger,
  clock,
  log,
  lanes,
  stateDir,
  hub,
}: Pick<House, "ledger" | "clock" | "log" | "lanes" | "stateDir" | "hub">): HistorySearch {
  return new HistorySearch({
    ledger,
    clock,
    log,
    shownWords,
    path: join(stateDir, "search.sqlite"),
    isBusy: () => lanes.running > 0,
    progressed: (progress) => hub.broadcast("search.progress", progress, { scope: "operator.read", dropIfSlow: true }),
  });
}
