// Opens one connection to WhatsApp with the settings this channel wants.
import type { GroupMetadata, WASocket } from "baileys";
import type { Logger } from "@chela/sdk";
import type { AuthFiles } from "./auth-files.ts";
import type { WhatsAppAccount } from "../config.ts";
import type { Library } from "./library.ts";
import { createLibraryLog } from "./library-log.ts";
import type { RecentMessages } from "../receive/recent-messages.ts";

export interface SocketParts {
  readonly library: Library;
  readonly account: WhatsAppAccount;
  readonly auth: AuthFiles;
  readonly log: Logger;
  readonly recent?: RecentMessages;
  readonly groups?: ReadonlyMap<string, GroupMetadata>;
}

/** A ping this often; each answer is a sign of life. */
const PING_EVERY_MS = 20_000;
const CONNECT_MS = 20_000;
const QUERY_MS = 30_000;

export function openSocket({ library, account, auth, log, recent, groups }: SocketParts): WASocket {
  const { HistorySyncType } = library.proto.HistorySync;
  // The telephone's numbers for hidden ids come with these; older conversations are not asked for.
  const { INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA } = HistorySyncType;
  const wanted: readonly unknown[] = [INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA];
  const socket = library.makeWASocket({
    auth: { creds: auth.creds, keys: auth.keys },
    ...(account.webSocketUrl ? { waWebSocketUrl: account.webSocketUrl } : {}),
    logger: createLibraryLog(log),
    keepAliveIntervalMs: PING_EVERY_MS,
    connectTimeoutMs: CONNECT_MS,
    defaultQueryTimeoutMs: QUERY_MS,
    // A telephone somebody uses must go on to ring.
    markOnlineOnConnect: !account.takesSelfChat,
    syncFullHistory: false,
    shouldSyncHistoryMessage: ({ syncType }) => wanted.includes(syncType),
    emitOwnEvents: false,
    shouldIgnoreJid: (jid) => jid === "status@broadcast" || jid.endsWith("@newsletter"),
    getMessage: async ({ id }) => recent?.find(id ?? "")?.message,
    cachedGroupMetadata: async (jid) => groups?.get(jid),
  });
  socket.ev.on("creds.update", () => auth.planSave());
  return socket;
}
