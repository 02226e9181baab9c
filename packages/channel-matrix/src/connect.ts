// One connected account: how it starts, sends and ends.
import type { ChannelConnection, ChannelHost, Disconnect } from "@chela/sdk";
import { openApi, route, type Api } from "./api.ts";
import { capabilitiesOf } from "./capabilities.ts";
import type { MatrixAccount } from "./config.ts";
import type { Crypto } from "./crypto/crypto.ts";
import { createDirectRooms } from "./direct-rooms.ts";
import { download } from "./download.ts";
import { expectDone } from "./failures.ts";
import { createInbound } from "./receive/inbound.ts";
import { openInvites } from "./receive/invites.ts";
import { createOriginals } from "./receive/originals.ts";
import { createRooms, type Rooms } from "./rooms.ts";
import { editMessage, failureOf, sendMessage, type SendParts } from "./send.ts";
import { forgetToken, openSession, type Session } from "./session.ts";
import { startSync, type Syncing } from "./receive/sync.ts";
import { openWaiting } from "./receive/waiting.ts";

export async function connect(account: MatrixAccount, host: ChannelHost): Promise<ChannelConnection> {
  const api = openApi(account.homeserver, host.clock);
  let crypto: Crypto | undefined;
  try {
    const session = await openSession(account, host, api);
    if (account.isEncrypting) {
      const { openCrypto } = await import("./crypto/machine.ts");
      crypto = await openCrypto(session, host, api);
      // Before anybody can write to us, they must find our keys.
      await crypto.flush();
    }
    const rooms = createRooms(api, session.userId);
    await readDirect(api, rooms, session.userId);
    const direct = createDirectRooms(host, api, rooms, account.isEncrypting);
    const parts: SendParts = { account, host, api, rooms, direct, crypto };
    const syncing = await beginSync(parts, session);
    host.report({ linked: true, connected: true, self: { id: session.userId, deviceId: session.deviceId } });
    return { ...connectionOf(parts, syncing), ...capabilitiesOf(parts, session) };
  } catch (error) {
    api.close();
    await crypto?.close();
    throw error;
  }
}

/** Which rooms are direct chats comes with a sync only when it has changed. */
async function readDirect(api: Api, rooms: Rooms, us: string): Promise<void> {
  const result = await api.call({ method: "GET", path: route`/client/v3/user/${us}/account_data/m.direct` });
  const isNone = result.kind === "refused" && result.status === 404;
  rooms.takeDirect(isNone ? {} : expectDone(result, "our account data cannot be read"));
}

async function beginSync(parts: SendParts, { userId: us }: Session): Promise<Syncing> {
  const { account, host, api, rooms, direct, crypto } = parts;
  const waiting = await openWaiting(host);
  const originals = createOriginals(api, crypto);
  const { threadReplies } = account;
  const inbound = createInbound({ host, api, crypto, rooms, direct, originals, waiting, us, threadReplies });
  const invites = await openInvites(account, host, api, rooms, us);
  const tokenRefused = async (isSoft: boolean): Promise<Disconnect> => {
    const why = "the homeserver does not accept the token any more";
    if (account.login.kind === "token") return { why, isFinal: true };
    await forgetToken(account, host, isSoft);
    return { why };
  };
  return startSync({ host, api, crypto, rooms, inbound, invites, waiting, us, tokenRefused });
}

function connectionOf(
  parts: SendParts,
  syncing: Syncing,
): Pick<ChannelConnection, "ended" | "close" | "send" | "edit" | "download"> {
  const { host, api, crypto, account } = parts;
  const close = async (): Promise<void> => {
    await syncing.stop();
    api.close();
    await crypto?.close();
    host.report({ connected: false });
  };
  let closing: Promise<void> | undefined;
  return {
    ended: syncing.ended.then((disconnect) => {
      host.report({ connected: false, lastError: disconnect.why });
      return disconnect;
    }),
    close: () => (closing ??= close()),
    send: (message, signal) => sendMessage(parts, message, signal).catch((error: unknown) => failureOf(error, host)),
    edit: (target, messageId, markdown) =>
      editMessage(parts, target, messageId, markdown).catch((error: unknown) => failureOf(error, host)),
    download: (ref, signal) => download(api, ref, account.mediaMaxBytes, signal),
  };
}
