// Takes off what was put before a message for the model only, so that people see what was written.
import { withoutTimePrefix } from "../../base/time-prefix.ts";
import { withoutChangedFilesNote } from "./changed-files.ts";
import { BLOCK_TITLES } from "./inbound-blocks.ts";

const TITLES: ReadonlySet<string> = new Set(Object.values(BLOCK_TITLES));
const BLOCK = /^([^\n]{1,80})\n```json\n[^]*?\n```(?:\n+|$)/;

/** The time a message begins with stays. Only the first block of each kind is ours; a second one was typed by somebody. */
export function stripInboundBlocks(text: string): string {
  const timed = withoutTimePrefix(text);
  const prefix = text.slice(0, text.length - timed.length);
  let rest = withoutChangedFilesNote(timed);
  const seen = new Set<string>();
  for (;;) {
    const [whole = "", title = ""] = BLOCK.exec(rest) ?? [];
    if (!TITLES.has(title) || seen.has(title)) return prefix + withoutChangedFilesNote(rest);
    seen.add(title);
    rest = rest.slice(whole.length);
  }
}
