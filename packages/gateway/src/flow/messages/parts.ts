// Type of what sending messages needs of the gateway.
import type { Clock, Ids, Ledger } from "@chela/sdk";
import type { LogSink } from "../../base/log.ts";
import type { SafeFetch } from "../../base/http/safe-fetch.ts";
import type { ConfigStore } from "../../rooms/config/room.ts";
import type { ChannelServices } from "../../house/open-channels.ts";
import type { Media } from "../../rooms/media/room.ts";
import type { SessionStore, Transcripts } from "../../rooms/sessions/room.ts";
import type { Outbox } from "../../rooms/delivery/room.ts";
import type { FileSettings } from "../../rooms/tools/room.ts";

export interface SenderParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: LogSink;
  readonly config: ConfigStore;
  readonly ledger: Ledger;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  /** For addresses that somebody else chose. */
  readonly fetch: SafeFetch;
  channels(): Promise<ChannelServices>;
  media(): Promise<Media>;
  readonly outbox: Outbox;
  /** What the operator's rules say about writing in this session. */
  sendPolicy(sessionKey: string, channel: string): Promise<"allow" | "deny">;
  /** Whether a turn runs or waits there. */
  isBusy(sessionKey: string): boolean;
  defaultAgent(): string;
  workspace(agentId: string): string;
  /** Where an agent may read files. */
  fileSettings(agentId: string): FileSettings;
  /** Shows a text to those who watch the session. */
  announce(sessionKey: string, entryId: string, text: string): void;
}
