// What is opened when it is first needed: channels, files, the message desk. An idle gateway loads none of it.
import type { OutboxItem } from "@chela/sdk";
import type { AuditTrail } from "./audit/room.ts";
import type { InboundFlow } from "./flow/inbound.ts";
import type { TurnBus } from "./flow/turn-bus.ts";
import type { ChannelSide } from "./join-channels.ts";
import type { RoomParts } from "./join-rooms.ts";
import type { Media } from "./media/room.ts";
import type { MessageDesk } from "./message-desk/request.ts";
import { opened } from "./opened.ts";
import type { People } from "./people/room.ts";
import type { KeyDefaults } from "./routing/room.ts";
import type { HistorySearch, IndexProgress } from "./search/room.ts";
import type { WebhookMounts } from "./server/http/webhook-mounts.ts";
import type { Lanes, SessionStore, Transcripts } from "./sessions/room.ts";

export interface LaterParts extends RoomParts {
  readonly audit: AuditTrail;
  readonly people: People;
  readonly bus: TurnBus;
  readonly mounts: WebhookMounts;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  readonly lanes: Lanes;
  keys(): KeyDefaults;
  workspaceOf(agentId: string): string;
  inbound(): InboundFlow;
  deliver(item: OutboxItem): Promise<void>;
  sendPolicy(sessionKey: string, channel: string): Promise<"allow" | "deny">;
  /** Shows a text to those who watch the session. */
  announce(sessionKey: string, entryId: string, text: string): void;
  /** What operators were told about this may be old. */
  changed(topic: "channels" | "pairing"): void;
  /** How far the search index is, while it is being filled. */
  searchProgressed(progress: IndexProgress): void;
}

export interface LaterRooms {
  channels(): Promise<ChannelSide>;
  /** Undefined while nobody needed them. */
  openChannels(): Promise<ChannelSide> | undefined;
  media(): Promise<Media>;
  desk(): Promise<MessageDesk>;
  search(): Promise<HistorySearch>;
  /** Undefined while nobody searched. */
  openSearch(): Promise<HistorySearch> | undefined;
  /** Whether a channel is configured. */
  hasChannels(): boolean;
  /** Starts and stops accounts until they are what the configuration says. */
  applyChannels(): Promise<void>;
}

export function laterRooms(parts: LaterParts): LaterRooms {
  const { config, keys, lanes, workspaceOf } = parts;
  const media = opened(async () => (await import("./join-media.ts")).openMedia(parts));
  const channels = opened(async () =>
    (await import("./join-channels.ts")).joinChannels({ ...parts, media: media.open }),
  );
  const desk = opened(async () => {
    const { joinDesk } = await import("./join-desk.ts");
    return joinDesk({
      ...parts,
      channels: channels.open,
      media: media.open,
      workspace: workspaceOf,
      defaultAgent: () => keys().defaultAgentId,
      isBusy: (key) => lanes.runIds(key).length > 0,
    });
  });
  const search = opened(async () => (await import("./join-search.ts")).openSearch(parts));
  const hasChannels = (): boolean => namesChannel(config.current().channels);
  return {
    channels: channels.open,
    openChannels: channels.known,
    media: media.open,
    desk: desk.open,
    search: search.open,
    openSearch: search.known,
    hasChannels,
    async applyChannels() {
      if (channels.known() || hasChannels()) await (await channels.open()).apply();
    },
  };
}

/** Blocks under `channels` that are settings for all of them name none. */
function namesChannel(channels: Readonly<Record<string, unknown>> | undefined): boolean {
  return Object.keys(channels ?? {}).some((key) => key !== "defaults" && key !== "modelByChannel");
}
