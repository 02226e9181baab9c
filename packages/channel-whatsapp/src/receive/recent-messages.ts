// The last messages of this connection, in and out: WhatsApp wants the whole of a message to quote it or to react to it.
import type { proto, WAMessageKey } from "baileys";
import { Recent } from "@chela/sdk/channel-kit";

export interface RecentMessage {
  readonly key: WAMessageKey;
  readonly message: proto.IMessage;
  readonly at: number;
}

/** Pictures bring a small version of themselves along, so this is some megabytes. */
const MOST = 500;

export class RecentMessages {
  readonly #byId = new Recent<RecentMessage>(MOST);

  note(recent: RecentMessage): void {
    this.#byId.set(recent.key.id ?? "", recent);
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
