// A person with an ordinary client: the SDK of the Matrix project, with encryption in memory.
import {
  ClientEvent,
  createClient,
  MatrixEventEvent,
  RoomEvent,
  type MatrixClient,
  type MatrixEvent,
} from "matrix-js-sdk";
import { logger } from "matrix-js-sdk/lib/logger.js";
import type { Account } from "./synapse.test-support.ts";

const quiet = (): void => {};
const silent = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, getChild: () => silent };

interface Heard {
  readonly id: string;
  readonly roomId: string;
  readonly type: string;
  readonly sender: string;
  readonly content: Record<string, unknown>;
}

export interface Person {
  readonly client: MatrixClient;
  /** Any call of the client API. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** The first event in clear, earlier or later, that fits. */
  hears(fits: (heard: Heard) => boolean): Promise<Heard>;
  close(): void;
}

export async function openPerson(url: string, account: Account): Promise<Person> {
  // Parts of the library do not use the logger they are given.
  (logger as unknown as { disableAll(): void }).disableAll();
  const client = createClient({
    baseUrl: url,
    userId: account.userId,
    accessToken: account.token,
    deviceId: account.deviceId,
    logger: silent,
  } as never);
  await client.initRustCrypto({ useIndexedDB: false });
  const heard: Heard[] = [];
  const waiting: Array<() => void> = [];
  const take = (event: MatrixEvent): void => {
    if (event.isBeingDecrypted() || event.isDecryptionFailure() || event.getType() === "m.room.encrypted") return;
    const id = event.getId() ?? "";
    heard.push({
      id,
      roomId: event.getRoomId() ?? "",
      type: event.getType(),
      sender: event.getSender() ?? "",
      content: event.getContent(),
    });
    for (const wake of waiting.splice(0)) wake();
  };
  client.on(RoomEvent.Timeline, take);
  client.on(MatrixEventEvent.Decrypted, take);
  const ready = new Promise<void>((resolve) =>
    client.on(ClientEvent.Sync, (state) => void (String(state) === "PREPARED" && resolve())),
  );
  await client.startClient({ initialSyncLimit: 10 });
  await ready;
  return {
    client,
    async call<T>(method: string, path: string, body?: object): Promise<T> {
      const response = await fetch(`${url}/_matrix/client/v3${path}`, {
        method,
        headers: { authorization: `Bearer ${account.token}` },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
      return (await response.json()) as T;
    },
    async hears(fits) {
      for (;;) {
        const found = heard.find(fits);
        if (found) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    close: () => client.stopClient(),
  };
}
