// The line to the person a run answers: what is asked of the platform goes one after another, and never in the way of the answer.
import type { Address, ChannelConnection, ChannelTraits, Clock, Ledger, Logger, OutboxItem, Target } from "@chela/sdk";
import type { LiveSettings } from "./live-settings.ts";
import type { NewDelivery } from "./delivery.ts";

interface LivePlaces {
  connection(address: Address): ChannelConnection | undefined;
  traits(channel: string): ChannelTraits | undefined;
}

export interface LiveParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Ledger;
  readonly channels: LivePlaces;
  settings(channel: string, account: string, agentId: string): LiveSettings;
  /** The rows of a part of the answer that goes out before the rest; `at` is its place among those parts. */
  composeBlock(chat: LiveChat, text: string, at: number): Promise<readonly NewDelivery[]>;
  deliver(item: OutboxItem): Promise<void>;
}

/** Where a run was asked for. */
export interface LiveChat {
  readonly runId: string;
  readonly agentId: string;
  readonly channel: string;
  readonly account: string;
  readonly target: Target;
  /** The platform's id of the message that is answered. */
  readonly messageId: string | undefined;
  readonly isDirect: boolean;
  readonly wasMentioned: boolean;
  /** For names in front of the answer. */
  readonly model?: { readonly provider: string; readonly id: string };
}

export class LiveLine {
  readonly chat: LiveChat;
  readonly parts: LiveParts;
  #work: Promise<void> = Promise.resolve();

  constructor(chat: LiveChat, parts: LiveParts) {
    this.chat = chat;
    this.parts = parts;
  }

  get settings(): LiveSettings {
    const { channel, account, agentId } = this.chat;
    return this.parts.settings(channel, account, agentId);
  }

  get traits(): ChannelTraits | undefined {
    return this.parts.channels.traits(this.chat.channel);
  }

  /** Resolves when everything that was asked so far is done. */
  get idle(): Promise<void> {
    return this.#work;
  }

  /** Nothing that is asked here is needed for the answer to arrive: whatever fails is logged and forgotten. */
  ask(what: string, task: (connection: ChannelConnection) => Promise<void> | undefined): void {
    const { runId, channel, account } = this.chat;
    this.#work = this.#work.then(async () => {
      const connection = this.parts.channels.connection({ channel, account });
      if (!connection) return;
      try {
        await task(connection);
      } catch (error) {
        this.parts.log.debug(`could not ${what}`, { run: runId, channel, error: String(error) });
      }
    });
  }
}
