// Messages that are not in the conversation yet. They are sent again under the same name until they are heard.
import { Live } from "../../../state/live.ts";
import { WireFailure, wordsOf } from "../../../wire/failure.ts";
import type { Wire } from "../../../wire/wire.ts";

export interface SentFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: number;
  /** Base64. */
  readonly content: string;
  /** A picture to show, of this browser's own memory. */
  readonly previewUrl?: string;
}

export interface UnsentMessage {
  /** Also the run's id: the gateway takes the same one only once. */
  readonly id: string;
  readonly text: string;
  readonly files: readonly SentFile[];
  readonly at: number;
  readonly state:
    | { readonly kind: "sending" }
    /** The gateway has it; it waits or is being answered. */
    | { readonly kind: "heard" }
    /** Goes out by itself when the connection is back. */
    | { readonly kind: "waiting" }
    | { readonly kind: "refused"; readonly why: string };
}

const STORE = "chela.unsent.";

export class UnsentMessages {
  readonly all: Live<readonly UnsentMessage[]>;
  readonly #wire: Wire;
  readonly #sessionKey: string;

  constructor(wire: Wire, sessionKey: string) {
    this.#wire = wire;
    this.#sessionKey = sessionKey;
    this.all = new Live(this.#read());
  }

  /** Says something; it is shown at once, wherever the connection is. */
  say(text: string, files: readonly SentFile[] = []): void {
    const message: UnsentMessage = { id: crypto.randomUUID(), text, files, at: Date.now(), state: { kind: "waiting" } };
    this.#set([...this.all.value, message]);
    void this.#send(message);
  }

  retry(id: string): void {
    const message = this.all.value.find((one) => one.id === id);
    if (message) void this.#send(message);
  }

  discard(id: string): void {
    this.#set(this.all.value.filter((one) => one.id !== id));
  }

  /** After a new connection: whatever was not certainly heard is said again. */
  sendAll(): void {
    for (const message of this.all.value) if (message.state.kind === "waiting") void this.#send(message);
  }

  heardIds(): readonly string[] {
    return this.all.value.filter(({ state }) => state.kind === "heard").map(({ id }) => id);
  }

  heard(ids: readonly string[]): void {
    if (!this.all.value.some(({ id, state }) => ids.includes(id) && state.kind !== "heard")) return;
    this.#set(this.all.value.map((one) => (ids.includes(one.id) ? { ...one, state: { kind: "heard" } } : one)));
  }

  /** It is in the conversation now. */
  arrived(ids: readonly string[]): void {
    if (this.all.value.some(({ id }) => ids.includes(id)))
      this.#set(this.all.value.filter(({ id }) => !ids.includes(id)));
  }

  async #send(message: UnsentMessage): Promise<void> {
    this.#mark(message.id, { kind: "sending" });
    const attachments = message.files.map(({ fileName, mimeType, content }) => ({
      type: "file",
      fileName,
      mimeType,
      content,
    }));
    try {
      const answer = await this.#wire.call("chat.send", {
        sessionKey: this.#sessionKey,
        message: message.text,
        idempotencyKey: message.id,
        ...(attachments.length > 0 ? { attachments } : {}),
      });
      // Over already: heard before the connection broke, or a word for the gateway that needs no answer.
      if (answer["status"] === "ok" || answer["aborted"] !== undefined) return this.arrived([message.id]);
      this.#mark(message.id, { kind: "heard" });
    } catch (error) {
      const isOffline = error instanceof WireFailure && error.code === "OFFLINE";
      this.#mark(message.id, isOffline ? { kind: "waiting" } : { kind: "refused", why: wordsOf(error) });
    }
  }

  #mark(id: string, state: UnsentMessage["state"]): void {
    this.#set(this.all.value.map((one) => (one.id === id ? { ...one, state } : one)));
  }

  #set(all: readonly UnsentMessage[]): void {
    this.all.set(all);
    // Words survive a reload; files are too large to keep.
    const words = all.filter(({ state, files }) => state.kind !== "heard" && files.length === 0);
    const kept = words.map(({ id, text, at }) => ({ id, text, at }));
    if (kept.length === 0) return sessionStorage.removeItem(STORE + this.#sessionKey);
    sessionStorage.setItem(STORE + this.#sessionKey, JSON.stringify(kept));
  }

  #read(): readonly UnsentMessage[] {
    try {
      const kept = JSON.parse(sessionStorage.getItem(STORE + this.#sessionKey) ?? "[]") as Array<
        Pick<UnsentMessage, "id" | "text" | "at">
      >;
      return kept.map(({ id, text, at }) => ({ id, text, at, files: [], state: { kind: "waiting" } }));
    } catch {
      return [];
    }
  }
}
