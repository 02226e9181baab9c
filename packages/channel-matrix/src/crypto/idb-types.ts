// The part of IndexedDB that is used here. The project knows no browser's types.

export interface IdbRequest<Result> {
  readonly result: Result;
  addEventListener(event: "success" | "error" | "upgradeneeded", listener: () => void): void;
}

export interface IdbFactory {
  open(name: string, version?: number): IdbRequest<IdbDatabase>;
  databases(): Promise<Array<{ name?: string; version?: number }>>;
  deleteDatabase(name: string): IdbRequest<undefined>;
}

export interface IdbDatabase {
  readonly name: string;
  readonly version: number;
  readonly objectStoreNames: Iterable<string>;
  transaction(stores: readonly string[], mode?: "readonly" | "readwrite"): IdbTransaction;
  createObjectStore(name: string, options: { keyPath: KeyPath; autoIncrement: boolean }): IdbStore;
  close(): void;
}

interface IdbTransaction {
  readonly db: IdbDatabase;
  objectStore(name: string): IdbStore;
}

export type KeyPath = string | string[] | null;

export interface IdbStore {
  readonly name: string;
  readonly transaction: IdbTransaction;
  readonly keyPath: KeyPath;
  readonly autoIncrement: boolean;
  readonly indexNames: Iterable<string>;
  index(name: string): IdbIndex;
  createIndex(name: string, keyPath: KeyPath, options: { unique: boolean; multiEntry: boolean }): IdbIndex;
  get(key: unknown): IdbRequest<unknown>;
  getAll(): IdbRequest<unknown[]>;
  getAllKeys(): IdbRequest<unknown[]>;
  put(value: unknown, key?: unknown): IdbRequest<unknown>;
  add(value: unknown, key?: unknown): IdbRequest<unknown>;
  delete(key: unknown): IdbRequest<undefined>;
  clear(): IdbRequest<undefined>;
}

export interface IdbIndex {
  readonly objectStore: IdbStore;
  readonly keyPath: KeyPath;
  readonly unique: boolean;
  readonly multiEntry: boolean;
}

export interface IdbCursor {
  readonly source: IdbStore | IdbIndex;
  readonly primaryKey: unknown;
  update(value: unknown): IdbRequest<unknown>;
  delete(): IdbRequest<undefined>;
}

/** The library's classes, as far as they are watched. */
export interface IdbLibrary {
  readonly IDBFactory: new () => IdbFactory;
  readonly IDBObjectStore: { readonly prototype: IdbStore };
  readonly IDBCursor: { readonly prototype: IdbCursor };
}

export function settled<Result>(request: IdbRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(new Error("the key store in memory refused a request")));
  });
}
