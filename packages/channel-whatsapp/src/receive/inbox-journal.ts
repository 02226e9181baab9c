// Keeps messages from the moment before WhatsApp is told that they arrived until the gateway has written them down.
import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";
import { isMissing } from "@chela/sdk/channel-kit";

const Kept = once(() =>
  z.object({
    id: z.string(),
    key: z.looseObject({ remoteJid: z.string(), id: z.string() }),
    at: z.number(),
    name: z.string().optional(),
    /** The content in WhatsApp's own encoding. */
    message: z.base64(),
  }),
);
/** A message as it came, in a form that can be written to a file. */
export type KeptMessage = Parsed<typeof Kept>;

const Line = once(() => z.union([Kept(), z.object({ done: z.string() })]));

/** Lines are appended; once nothing waits any more the file is emptied. */
export class InboxJournal {
  readonly #file: number;
  readonly #waiting: Map<string, KeptMessage>;
  #isClosed = false;

  constructor(path: string) {
    this.#waiting = readWaiting(path);
    this.#file = openSync(path, "a", 0o600);
    if (this.#waiting.size === 0) ftruncateSync(this.#file);
  }

  /** Oldest first. */
  get waiting(): readonly KeptMessage[] {
    return [...this.#waiting.values()];
  }

  /** On the disk when it returns: it is called at the last moment before WhatsApp forgets the message. */
  keep(message: KeptMessage): void {
    // The number of a closed file may be another file's by now.
    if (this.#isClosed) throw new Error("the journal is closed");
    this.#append(message);
    fdatasyncSync(this.#file);
    this.#waiting.set(message.id, message);
  }

  /** Need not be on the disk at once: to hand a message on twice does no harm. */
  release(id: string): void {
    if (this.#isClosed || !this.#waiting.delete(id)) return;
    if (this.#waiting.size === 0) ftruncateSync(this.#file);
    else this.#append({ done: id });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }

  /** The line before it may have broken off, so each begins with an end of line, too. */
  #append(line: Parsed<typeof Line>): void {
    writeSync(this.#file, `\n${JSON.stringify(line)}\n`);
  }
}

/** A line that broke off was never promised to anybody. */
function readWaiting(path: string): Map<string, KeptMessage> {
  const waiting = new Map<string, KeptMessage>();
  for (const line of readLines(path)) {
    const read = parseLine(line);
    if (read === undefined) continue;
    if ("done" in read) waiting.delete(read.done);
    else waiting.set(read.id, read);
  }
  return waiting;
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function parseLine(line: string): Parsed<typeof Line> | undefined {
  try {
    return Line().parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
