// The last messages of this connection, in and out: WhatsApp wants the whole of a message to quote it or to react to it.
import type { proto, WAMessageKey } from "baileys";

export interface RecentMessage {
  readonly key: WAMessageKey;
  readonly message: proto.IMessage;
  readonly at: number;
}

/** Pictures bring a small version of themselves along, so this is some megabytes. */
const MOST = 500;

export class RecentMessages {
  readonly #byId = new Map<string, RecentMessage>();

  note(recent: RecentMessage): void {
    const id = recent.key.id ?? "";
    this.#byId.delete(id);
    this.#byId.set(id, recent);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > MOST && oldest !== undefined) this.#byId.delete(oldest);
  }

  find(id: string): RecentMessage | undefined {
    return this.#byId.get(id);
  }

  /** Somebody we share a chat with, and so somebody who is there. */
  hasChat(jid: string): boolean {
    for (const { key } of this.#byId.values()) {
      if (key.remoteJid === jid || key.remoteJidAlt === jid) return true;
    }
    return false;
  }
}
