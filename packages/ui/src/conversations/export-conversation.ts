// Saves the whole branch that is being talked in as a file: fetched piece by piece, made here, kept by the browser.
import type { ShownMessage } from "@chela/sdk/protocol";
import type { World } from "../app/world.ts";
import { shortKey } from "../state/session-title.ts";
import { downloadBlob } from "./blob-url.ts";
import { fileNameOf, toLine, toMarkdown, type TextRules } from "./conversation-text.ts";

const PIECE = 500;

/** `progress` is told the share that is done, from 0 to 1. Nothing is saved when `signal` says stop. */
export async function exportConversation(
  world: World,
  sessionKey: string,
  format: "markdown" | "lines",
  progress: (share: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  progress(0);
  const words = world.words.of("conversation");
  const title = await titleOf(world, sessionKey);
  const rules: TextRules = {
    words,
    date: (ms) => world.words.date(ms),
    bytes: (count) => world.words.bytes(count),
  };
  const head = `# ${title}\n\n${words.exportedAt(world.words.date(Date.now()))} · \`${sessionKey}\`\n\n`;
  const parts: string[] = format === "markdown" ? [head] : [];
  for await (const message of readAll(world, sessionKey, progress, signal)) {
    parts.push(format === "markdown" ? toMarkdown(message, rules) : toLine(message));
  }
  if (signal?.aborted) return world.notices.say(words.exportCancelled);
  const day = new Date().toISOString().slice(0, 10);
  downloadBlob(new Blob(parts), fileNameOf(title, day, format === "markdown" ? "md" : "jsonl"));
  world.notices.say(words.exportDone);
}

async function titleOf({ wire }: World, sessionKey: string): Promise<string> {
  const { settings } = await wire.call("chat.watch", { sessionKey });
  return settings.label ?? settings.displayName ?? shortKey(sessionKey);
}

async function* readAll(
  { wire, words }: World,
  sessionKey: string,
  progress: (share: number) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<ShownMessage> {
  let isMoved = false;
  const stop = wire.on("session.moved", (event) => (isMoved ||= event.sessionKey === sessionKey));
  try {
    for (let from = 0; !signal?.aborted;) {
      const page = await wire.call("chat.page", { sessionKey, from, limit: PIECE });
      // Half of one branch and half of another would be a conversation nobody had.
      if (isMoved) throw new Error(words.of("conversation").exportMoved);
      for (const message of page.messages) {
        yield message.cut ? await wire.call("chat.entry", { sessionKey, id: message.id }) : message;
      }
      from += page.messages.length;
      progress(page.total === 0 ? 1 : Math.min(1, from / page.total));
      // A piece may be shorter than was asked for, since its size is bounded too; an empty one is the end.
      if (page.messages.length === 0 || from >= page.total) return;
    }
  } finally {
    stop();
  }
}
