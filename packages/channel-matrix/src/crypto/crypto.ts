// Interface of end-to-end encryption for the rest of the channel.
import type { RoomEvent, SyncAnswer } from "../wire.ts";

export interface Crypto {
  /**
   * Takes room keys and news of devices. Everything is on the disk when this resolves, so that the sync may be
   * acknowledged. Says whether new keys came.
   */
  takeSync(sync: SyncAnswer): Promise<{ readonly hasNewKeys: boolean }>;
  /** Sends what the library wants to tell the homeserver. What fails is tried again the next time. */
  flush(): Promise<void>;
  decrypt(roomId: string, event: RoomEvent): Promise<Decrypted>;
  /** The content of an `m.room.encrypted` event for everybody in `readers`; the used keys are on the disk. */
  encrypt(roomId: string, type: string, content: object, readers: readonly string[]): Promise<object>;
  /** Once a room was seen encrypted, it is taken for encrypted for ever, whatever the server says. */
  rememberEncrypted(roomId: string): Promise<void>;
  isKnownEncrypted(roomId: string): Promise<boolean>;
  /** Shown to people who want to compare it. */
  readonly fingerprint: string;
  close(): Promise<void>;
}

export type Decrypted =
  | { readonly kind: "clear"; readonly event: RoomEvent }
  /** Its key may still come. */
  | { readonly kind: "waiting" }
  | { readonly kind: "unreadable"; readonly why: string };
