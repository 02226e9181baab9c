// End-to-end encryption by the Matrix project's own library; this file decides what is on the disk before what happens.
import type * as Library from "@matrix-org/matrix-sdk-crypto-wasm";
import { GatewayError, type ChannelHost } from "@chela/sdk";
import type { Api } from "../api.ts";
import type { Session } from "../session.ts";
import type { RoomEvent, SyncAnswer } from "../wire.ts";
import type { Crypto, Decrypted } from "./crypto.ts";
import { openKeyStore, type KeyStore } from "./key-store.ts";
import { userIds } from "./ids.ts";
import { createMessenger, type Messenger } from "./messenger.ts";

export async function openCrypto(session: Session, host: ChannelHost, api: Api): Promise<Crypto> {
  if (session.deviceId === "") {
    throw new GatewayError("CHANNEL_SETTINGS", "encryption needs a token that belongs to a device; log in to get one");
  }
  const library = await import("@matrix-org/matrix-sdk-crypto-wasm");
  const store = await openKeyStore(host.directory, session.deviceId);
  try {
    await library.initAsync();
    const handle = await library.StoreHandle.openWithKey(store.name, store.secret, silentLogger(host));
    const { userId, deviceId } = session;
    const machine = await library.OlmMachine.initFromStore(
      new library.UserId(userId),
      new library.DeviceId(deviceId),
      handle,
      silentLogger(host),
    );
    handle.free();
    await store.begin();
    return createCrypto(library, machine, store, createMessenger(library, machine, store, api, host));
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The library tells a lot, some of it about people; only that something is wrong is worth a line. */
function silentLogger(host: ChannelHost): Library.JsLogger {
  const quiet = (): void => {};
  const debug = (): void => host.log.debug("the encryption library reported a problem");
  return { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: debug } as unknown as Library.JsLogger;
}

type LibraryModule = typeof Library;

function createCrypto(
  library: LibraryModule,
  machine: Library.OlmMachine,
  store: KeyStore,
  messenger: Messenger,
): Crypto {
  const settings = () => new library.DecryptionSettings(library.TrustRequirement.Untrusted);
  let keyCount = 0;
  machine.registerRoomKeyUpdatedCallback(async (keys) => void (keyCount += keys.length));
  return {
    fingerprint: machine.identityKeys.ed25519.toBase64(),
    async takeSync(sync) {
      const before = keyCount;
      await machine.receiveSyncChanges(
        JSON.stringify(sync.to_device?.events ?? []),
        deviceLists(library, sync),
        new Map(Object.entries(sync.device_one_time_keys_count ?? {})),
        sync.device_unused_fallback_key_types ? new Set(sync.device_unused_fallback_key_types) : undefined,
        settings(),
      );
      await store.persist();
      return { hasNewKeys: keyCount > before };
    },
    flush: () => messenger.flush(),
    decrypt: (roomId, event) => decrypt(library, machine, settings(), roomId, event),
    encrypt: (roomId, type, content, readers) => messenger.encrypt(roomId, type, content, readers),
    async rememberEncrypted(roomId) {
      if (await isKnown(library, machine, roomId)) return;
      const room = new library.RoomSettings();
      room.algorithm = library.EncryptionAlgorithm.MegolmV1AesSha2;
      await machine.setRoomSettings(new library.RoomId(roomId), room);
      await store.persist();
    },
    isKnownEncrypted: (roomId) => isKnown(library, machine, roomId),
    async close() {
      await messenger.close();
      machine.close();
      await store.close();
    },
  };
}

async function isKnown(library: LibraryModule, machine: Library.OlmMachine, roomId: string): Promise<boolean> {
  return (await machine.getRoomSettings(new library.RoomId(roomId))) !== undefined;
}

function deviceLists(library: LibraryModule, { device_lists }: SyncAnswer): Library.DeviceLists {
  return new library.DeviceLists(
    userIds(library, device_lists?.changed ?? []),
    userIds(library, device_lists?.left ?? []),
  );
}

async function decrypt(
  library: LibraryModule,
  machine: Library.OlmMachine,
  settings: Library.DecryptionSettings,
  roomId: string,
  event: RoomEvent,
): Promise<Decrypted> {
  try {
    const read = await machine.decryptRoomEvent(
      JSON.stringify({ ...event, room_id: roomId }),
      new library.RoomId(roomId),
      settings,
    );
    const { type, content } = JSON.parse(read.event) as Pick<RoomEvent, "type" | "content">;
    // What an event relates to is told outside, where the homeserver can see it, and sometimes only there.
    const relation = event.content["m.relates_to"];
    const whole = content["m.relates_to"] === undefined && relation !== undefined ? { "m.relates_to": relation } : {};
    return { kind: "clear", event: { ...event, type, content: { ...whole, ...content } } };
  } catch (error) {
    const { MissingRoomKey, UnknownMessageIndex } = library.DecryptionErrorCode;
    const code = error instanceof library.MegolmDecryptionError ? error.code : undefined;
    if (code === MissingRoomKey || code === UnknownMessageIndex) return { kind: "waiting" };
    return {
      kind: "unreadable",
      why: code === undefined ? "it is not as Matrix says" : library.DecryptionErrorCode[code],
    };
  }
}
