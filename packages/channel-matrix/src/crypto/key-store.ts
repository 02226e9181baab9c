// Keeps the device's keys: loads them into memory before the library opens its store, and writes down every change.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { GatewayError } from "@chela/sdk";
import { readIfThere, writePrivateFile } from "@chela/sdk/channel-kit";
import { provideIndexedDb } from "./indexed-db.ts";
import { beginKeyFile, readKeyFile } from "./key-file.ts";
import { createDatabase, readAll, readChanged, writeBatch } from "./snapshot.ts";

export interface KeyStore {
  /** What the library calls its store, in this process only. */
  readonly name: string;
  /** Encrypts the records, in memory and on the disk. */
  readonly secret: Uint8Array;
  /** To be called once the library has opened its store: from now on changes can be written down. */
  begin(): Promise<void>;
  /** Everything that was changed until now is on the disk when this resolves. Rejects when it cannot be written. */
  persist(): Promise<void>;
  /** Lets go of the memory; what was persisted stays. */
  close(): Promise<void>;
}

const SECRET_BYTES = 32;

export async function openKeyStore(directory: string, deviceId: string): Promise<KeyStore> {
  const { factory, newStoreName, takeChanges } = await provideIndexedDb();
  const base = join(directory, `keys-${encodeURIComponent(deviceId)}`);
  const name = newStoreName();
  const prefix = `${name}::`;
  const path = `${base}.journal`;

  const kept = await readKeyFile(path);
  const secret = await readSecret(`${base}.secret`, kept !== undefined);
  if (kept) {
    for (const shape of kept.snapshot.shapes) {
      await createDatabase(factory, { ...shape, name: prefix + shape.name });
    }
    for (const batch of [kept.snapshot.batch, ...kept.batches]) {
      await writeBatch(
        factory,
        rename(batch, (database) => prefix + database),
      );
    }
  }
  takeChanges(prefix);
  let file: Awaited<ReturnType<typeof beginKeyFile>> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const everything = async () => {
    takeChanges(prefix);
    const { shapes, batch } = await readAll(factory, prefix);
    const bare = (database: string): string => database.slice(prefix.length);
    return { shapes: shapes.map((shape) => ({ ...shape, name: bare(shape.name) })), batch: rename(batch, bare) };
  };
  // After a frame that was cut off nothing more may be appended.
  let isDamaged = false;
  const persist = async (): Promise<void> => {
    if (!file) return;
    const isAnew = isDamaged || file.isOvergrown;
    const changed = isAnew ? [] : takeChanges(prefix);
    if (!isAnew && changed.length === 0) return;
    isDamaged = true;
    if (isAnew) await file.replace(await everything());
    else await file.append(rename(await readChanged(factory, changed), (database) => database.slice(prefix.length)));
    isDamaged = false;
  };
  return {
    name,
    secret,
    async begin() {
      file = await beginKeyFile(path, await everything());
    },
    persist() {
      const mine = writing.then(persist);
      writing = mine.catch(() => {});
      return mine;
    },
    async close() {
      await writing;
      await file?.close();
      file = undefined;
      for (const { name: database } of await factory.databases()) {
        // Takes effect when the library has let go of it, too.
        if (database?.startsWith(prefix)) factory.deleteDatabase(database);
      }
      takeChanges(prefix);
    },
  };
}

function rename<Part extends { readonly database: string }>(
  batch: readonly Part[],
  to: (database: string) => string,
): Part[] {
  return batch.map((part) => ({ ...part, database: to(part.database) }));
}

async function readSecret(path: string, isNeeded: boolean): Promise<Uint8Array> {
  const kept = await readIfThere(path);
  if (kept?.length === SECRET_BYTES) return new Uint8Array(kept);
  if (isNeeded) throw new GatewayError("CHANNEL_SETTINGS", `the key of this device is missing: ${path}`);
  const fresh = randomBytes(SECRET_BYTES);
  await writePrivateFile(path, fresh);
  return new Uint8Array(fresh);
}
