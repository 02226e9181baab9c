// Opens the search through what was said, with the first search.
import { join } from "node:path";
import type { LaterParts } from "./later-rooms.ts";
import { HistorySearch } from "./search/room.ts";
import { shownWords } from "./server/shown-words.ts";

export function openSearch(parts: LaterParts): HistorySearch {
  const { ledger, clock, log, lanes, paths } = parts;
  return new HistorySearch({
    ledger,
    clock,
    log,
    shownWords,
    path: join(paths.stateDir, "search.sqlite"),
    isBusy: () => lanes.running > 0,
    progressed: (progress) => parts.searchProgressed(progress),
  });
}
