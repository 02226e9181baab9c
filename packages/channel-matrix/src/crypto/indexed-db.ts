// An IndexedDB for a library that knows no other store: it lives in memory and notes which records were changed.
import type { IdbCursor, IdbFactory, IdbIndex, IdbLibrary, IdbStore } from "./idb-types.ts";

export interface Database {
  readonly factory: IdbFactory;
  /** A name no store of this process had before. */
  newStoreName(): string;
  /** Takes over what was noted for databases whose name begins with `prefix`. */
  takeChanges(prefix: string): ChangedStore[];
}

export interface ChangedStore {
  readonly database: string;
  readonly store: string;
  /** Absent when it is not known which: then the whole store counts as changed. */
  readonly keys?: readonly string[];
}

const PLACE = Symbol.for("chela.channel-matrix.indexed-db");

/** The library looks for `indexedDB` among the globals, so there is one for the whole process. */
export function provideIndexedDb(): Promise<Database> {
  const place = globalThis as unknown as { [PLACE]?: Promise<Database> };
  return (place[PLACE] ??= install());
}

async function install(): Promise<Database> {
  const library = (await import("fake-indexeddb")) as unknown as IdbLibrary & Record<string, unknown>;
  const factory = new library.IDBFactory();
  const noted: Noted = new Map();
  watch(library, (store, key) => note(noted, store, key));
  for (const name of Object.keys(library).filter((one) => one.startsWith("IDB"))) setGlobal(name, library[name]);
  setGlobal("indexedDB", factory);
  let count = 0;
  return { factory, newStoreName: () => `chela-${++count}`, takeChanges: (prefix) => takeNoted(noted, prefix) };
}

function setGlobal(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

/** By database, then by store. */
type Noted = Map<string, Map<string, Set<string> | "all">>;

function note(noted: Noted, store: IdbStore, key: unknown): void {
  const database = store.transaction.db.name;
  const stores = noted.get(database) ?? new Map<string, Set<string> | "all">();
  noted.set(database, stores);
  const known = stores.get(store.name) ?? new Set<string>();
  stores.set(store.name, known === "all" || typeof key !== "string" ? "all" : known.add(key));
}

function takeNoted(noted: Noted, prefix: string): ChangedStore[] {
  const names = [...noted.keys()].filter((name) => name.startsWith(prefix));
  return names.flatMap((database) => {
    const stores = [...(noted.get(database) ?? [])];
    noted.delete(database);
    return stores.map(([store, keys]) => ({ database, store, ...(keys === "all" ? {} : { keys: [...keys] }) }));
  });
}

type Changed = (store: IdbStore, key: unknown) => void;

/** Every way a record can change. What a transaction takes back is noted, too, and read as it is then: no harm. */
function watch(library: IdbLibrary, changed: Changed): void {
  const store = library.IDBObjectStore.prototype;
  const { put, add, delete: remove, clear } = store;
  store.put = function (this: IdbStore, value, key) {
    changed(this, key);
    return put.call(this, value, key);
  };
  store.add = function (this: IdbStore, value, key) {
    changed(this, key);
    return add.call(this, value, key);
  };
  store.delete = function (this: IdbStore, key) {
    changed(this, key);
    return remove.call(this, key);
  };
  store.clear = function (this: IdbStore) {
    changed(this, undefined);
    return clear.call(this);
  };
  watchCursor(library.IDBCursor.prototype, changed);
}

function watchCursor(cursor: IdbCursor, changed: Changed): void {
  const { update, delete: remove } = cursor;
  const storeOf = (source: IdbStore | IdbIndex): IdbStore => ("objectStore" in source ? source.objectStore : source);
  cursor.update = function (this: IdbCursor, value) {
    changed(storeOf(this.source), this.primaryKey);
    return update.call(this, value);
  };
  cursor.delete = function (this: IdbCursor) {
    changed(storeOf(this.source), this.primaryKey);
    return remove.call(this);
  };
}
