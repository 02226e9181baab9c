// Databases in memory as plain values, and back: their shape, all their records, or those that were changed.
import { settled, type IdbDatabase, type IdbFactory, type IdbStore, type KeyPath } from "./idb-types.ts";
import type { ChangedStore } from "./indexed-db.ts";

interface StoreShape {
  readonly name: string;
  readonly keyPath: KeyPath;
  readonly autoIncrement: boolean;
  readonly indexes: ReadonlyArray<{ name: string; keyPath: KeyPath; unique: boolean; multiEntry: boolean }>;
}

export interface DatabaseShape {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly StoreShape[];
}

/** A batch of records that are written together or not at all. */
export type Batch = ReadonlyArray<StoreBatch>;

interface StoreBatch {
  readonly database: string;
  readonly store: string;
  /** The store holds these records and no others. */
  readonly isWhole: boolean;
  readonly records: ReadonlyArray<readonly [key: unknown, value: unknown]>;
  readonly gone: readonly unknown[];
}

export interface Snapshot {
  readonly shapes: readonly DatabaseShape[];
  readonly batch: Batch;
}

export async function readAll(factory: IdbFactory, prefix: string): Promise<Snapshot> {
  const shapes: DatabaseShape[] = [];
  const batch: StoreBatch[] = [];
  for (const { name } of await factory.databases()) {
    if (!name?.startsWith(prefix)) continue;
    await withDatabase(factory, name, async (database) => {
      const stores = storesOf(database);
      shapes.push({ name, version: database.version, stores: stores.map(shapeOf) });
      batch.push(...(await Promise.all(stores.map((store) => readWhole(name, store)))));
    });
  }
  return { shapes, batch };
}

/** The records as they are at one instant: no writer gets between. */
export async function readChanged(factory: IdbFactory, changed: readonly ChangedStore[]): Promise<Batch> {
  const names = new Set(changed.map(({ database }) => database));
  const batches = await Promise.all(
    [...names].map((name) =>
      withDatabase(factory, name, async (database) => {
        const mine = changed.filter((one) => one.database === name);
        const transaction = database.transaction(mine.map(({ store }) => store));
        return Promise.all(mine.map(({ store, keys }) => readStore(name, transaction.objectStore(store), keys)));
      }),
    ),
  );
  return batches.flat();
}

function storesOf(database: IdbDatabase): IdbStore[] {
  const names = [...database.objectStoreNames];
  if (names.length === 0) return [];
  const transaction = database.transaction(names);
  return names.map((name) => transaction.objectStore(name));
}

function shapeOf(store: IdbStore): StoreShape {
  const indexes = [...store.indexNames].map((name) => {
    const { keyPath, unique, multiEntry } = store.index(name);
    return { name, keyPath, unique, multiEntry };
  });
  return { name: store.name, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes };
}

function readStore(database: string, store: IdbStore, keys: readonly string[] | undefined): Promise<StoreBatch> {
  return keys ? readSome(database, store, keys) : readWhole(database, store);
}

async function readWhole(database: string, store: IdbStore): Promise<StoreBatch> {
  const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
  const records = keys.map((key, index) => [key, values[index]] as const);
  return { database, store: store.name, isWhole: true, records, gone: [] };
}

async function readSome(database: string, store: IdbStore, keys: readonly string[]): Promise<StoreBatch> {
  const values = await Promise.all(keys.map((key) => settled(store.get(key))));
  const found = keys.map((key, index) => [key, values[index]] as const);
  return {
    database,
    store: store.name,
    isWhole: false,
    records: found.filter(([, value]) => value !== undefined),
    gone: found.filter(([, value]) => value === undefined).map(([key]) => key),
  };
}

export async function createDatabase(factory: IdbFactory, shape: DatabaseShape): Promise<void> {
  const opening = factory.open(shape.name, shape.version);
  opening.addEventListener("upgradeneeded", () => {
    for (const { name, keyPath, autoIncrement, indexes } of shape.stores) {
      const store = opening.result.createObjectStore(name, { keyPath, autoIncrement });
      for (const index of indexes) {
        store.createIndex(index.name, index.keyPath, { unique: index.unique, multiEntry: index.multiEntry });
      }
    }
  });
  (await settled(opening)).close();
}

export async function writeBatch(factory: IdbFactory, batch: Batch): Promise<void> {
  for (const part of batch) {
    await withDatabase(factory, part.database, async (database) => {
      const store = database.transaction([part.store], "readwrite").objectStore(part.store);
      const requests = [
        ...(part.isWhole ? [store.clear()] : []),
        ...part.gone.map((key) => store.delete(key)),
        ...part.records.map(([key, value]) => (store.keyPath === null ? store.put(value, key) : store.put(value))),
      ];
      await Promise.all(requests.map((request) => settled<unknown>(request)));
    });
  }
}

async function withDatabase<T>(
  factory: IdbFactory,
  name: string,
  use: (database: IdbDatabase) => Promise<T>,
): Promise<T> {
  const database = await settled(factory.open(name));
  try {
    return await use(database);
  } finally {
    database.close();
  }
}
