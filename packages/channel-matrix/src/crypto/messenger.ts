// Carries what the encryption library wants to say to the homeserver and brings the answers back.
import type * as Library from "@matrix-org/matrix-sdk-crypto-wasm";
import { GatewayError, type ChannelHost } from "@chela/sdk";
import { route, type Api, type ApiCall } from "../api.ts";
import { toError } from "../failures.ts";
import { userIds } from "./ids.ts";
import type { KeyStore } from "./key-store.ts";

export interface Messenger {
  flush(): Promise<void>;
  encrypt(roomId: string, type: string, content: object, readers: readonly string[]): Promise<object>;
  close(): Promise<void>;
}

/** All kinds of requests have an id, a type and a body. */
interface Request {
  readonly id: string | undefined;
  readonly type: Library.RequestType;
  readonly body: string;
}

const KEY_CALL_MS = 30_000;

export function createMessenger(
  library: typeof Library,
  machine: Library.OlmMachine,
  store: KeyStore,
  api: Api,
  host: ChannelHost,
): Messenger {
  let queue: Promise<unknown> = Promise.resolve();
  /** The library does not want its steps mixed up. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const mine = queue.then(task);
    queue = mine.catch(() => {});
    return mine;
  };

  const carry = async (request: Request): Promise<void> => {
    // Keys that others will use, and steps of a ratchet, must never be forgotten once they are out.
    await store.persist();
    const result = await api.call({ ...callFor(library, request), timeoutMs: KEY_CALL_MS });
    if (result.kind !== "done") throw toError(result, "keys could not be exchanged");
    if (request.id) await machine.markRequestAsSent(request.id, request.type, JSON.stringify(result.body));
  };

  const flush = async (): Promise<void> => {
    for (const request of await machine.outgoingRequests()) await carry(request as Request);
    await store.persist();
  };

  const shareKeys = async (roomId: string, readers: readonly string[]): Promise<void> => {
    await machine.updateTrackedUsers(userIds(library, readers));
    await flush();
    const claim = await machine.getMissingSessions(userIds(library, readers));
    if (claim) await carry(claim);
    const settings = new library.EncryptionSettings();
    settings.sharingStrategy = library.CollectStrategy.allDevices();
    const shares = await machine.shareRoomKey(new library.RoomId(roomId), userIds(library, readers), settings);
    for (const share of shares) await carry(share);
  };

  return {
    flush: () =>
      inTurn(flush).catch((error: unknown) => {
        const why = GatewayError.is(error) ? error.detail : "the encryption library failed";
        host.log.warn("keys could not be exchanged; it is tried again later", { why });
      }),
    encrypt: (roomId, type, content, readers) =>
      inTurn(async () => {
        await shareKeys(roomId, readers);
        const room = new library.RoomId(roomId);
        const encrypted = await machine.encryptRoomEvent(room, type, JSON.stringify(content));
        await store.persist();
        return JSON.parse(encrypted) as object;
      }),
    async close() {
      await queue;
    },
  };
}

function callFor(library: typeof Library, request: Request): ApiCall {
  const body = JSON.parse(request.body) as unknown;
  const { RequestType } = library;
  switch (request.type) {
    case RequestType.KeysUpload:
      return { method: "POST", path: "/client/v3/keys/upload", body };
    case RequestType.KeysQuery:
      return { method: "POST", path: "/client/v3/keys/query", body };
    case RequestType.KeysClaim:
      return { method: "POST", path: "/client/v3/keys/claim", body };
    case RequestType.ToDevice: {
      const { event_type, txn_id } = request as Request & Pick<Library.ToDeviceRequest, "event_type" | "txn_id">;
      return { method: "PUT", path: route`/client/v3/sendToDevice/${event_type}/${txn_id}`, body };
    }
    case RequestType.SignatureUpload:
      return { method: "POST", path: "/client/v3/keys/signatures/upload", body };
    default:
      throw new GatewayError("CHANNEL_UNSUPPORTED", "the encryption library asked for something nobody knows");
  }
}
