// The keys of a device outlive the process, a cut-off write, and a full disk.
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settled, type IdbDatabase } from "./idb-types.ts";
import { provideIndexedDb } from "./indexed-db.ts";
import { openKeyStore, type KeyStore } from "./key-store.ts";

let directory: string;
const stores: KeyStore[] = [];
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "chela-keys-"))));
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const journal = (): string => join(directory, "keys-DEVICE.journal");
async function open(): Promise<KeyStore> {
  const store = await openKeyStore(directory, "DEVICE");
  stores.push(store);
  return store;
}

/** As the library does: a database of its own, made when it is not there yet. */
async function openDatabase(store: KeyStore): Promise<IdbDatabase> {
  const { factory } = await provideIndexedDb();
  const opening = factory.open(`${store.name}::keys`, 3);
  opening.addEventListener("upgradeneeded", () => {
    const sessions = opening.result.createObjectStore("sessions", { keyPath: null, autoIncrement: false });
    sessions.createIndex("room", "room", { unique: false, multiEntry: false });
    opening.result.createObjectStore("account", { keyPath: null, autoIncrement: false });
  });
  return settled(opening);
}
const put = (database: IdbDatabase, key: string, value: unknown): Promise<unknown> =>
  settled(database.transaction(["sessions"], "readwrite").objectStore("sessions").put(value, key));
const remove = (database: IdbDatabase, key: string): Promise<unknown> =>
  settled(database.transaction(["sessions"], "readwrite").objectStore("sessions").delete(key));
async function contents(database: IdbDatabase): Promise<Record<string, unknown>> {
  const store = database.transaction(["sessions"]).objectStore("sessions");
  const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
  return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
}
/** What a new process would find now; nothing was closed. */
async function afterKill(): Promise<Record<string, unknown>> {
  const store = await open();
  const database = await openDatabase(store);
  await store.begin();
  const found = await contents(database);
  database.close();
  await store.close();
  return found;
}

describe("the keys of a device", () => {
  it("are there again after a kill, as they were persisted last", async () => {
    const store = await open();
    const database = await openDatabase(store);
    await store.begin();
    await put(database, "a", { room: "one", bytes: new Uint8Array([1, 2]) });
    await put(database, "b", { room: "two" });
    await store.persist();
    await remove(database, "a");
    await put(database, "c", 3);
    await store.persist();
    await put(database, "d", "not persisted");
    expect(await afterKill()).toEqual({ b: { room: "two" }, c: 3 });
  });

  it("stay when everything was cleared and written anew", async () => {
    const store = await open();
    const database = await openDatabase(store);
    await store.begin();
    await put(database, "a", 1);
    await store.persist();
    await settled(database.transaction(["sessions"], "readwrite").objectStore("sessions").clear());
    await put(database, "b", 2);
    await store.persist();
    expect(await afterKill()).toEqual({ b: 2 });
  });

  it("are whole up to the last change that was, when a write was cut off", async () => {
    const store = await open();
    const database = await openDatabase(store);
    await store.begin();
    await put(database, "a", 1);
    await store.persist();
    await put(database, "b", 2);
    await store.persist();
    truncateSync(journal(), statSync(journal()).size - 3);
    expect(await afterKill()).toEqual({ a: 1 });
  });

  it("are not confused by rubbish at the end", async () => {
    const store = await open();
    const database = await openDatabase(store);
    await store.begin();
    await put(database, "a", 1);
    await store.persist();
    appendFileSync(journal(), Buffer.from([9, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]));
    expect(await afterKill()).toEqual({ a: 1 });
    expect(await afterKill()).toEqual({ a: 1 });
  });

  it("are never replaced by others when their file is damaged", async () => {
    writeFileSync(journal(), "rubbish");
    await expect(open()).rejects.toMatchObject({ code: "CHANNEL_SETTINGS" });
  });

  it("need the secret they were written with", async () => {
    const store = await open();
    await openDatabase(store);
    await store.begin();
    rmSync(join(directory, "keys-DEVICE.secret"));
    await expect(open()).rejects.toMatchObject({ code: "CHANNEL_SETTINGS" });
  });

  it("are for this user only", async () => {
    const store = await open();
    await openDatabase(store);
    await store.begin();
    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  it("are kept in a file that does not grow for ever", async () => {
    const store = await open();
    const database = await openDatabase(store);
    await store.begin();
    const large = "x".repeat(300_000);
    for (let round = 0; round < 40; round++) {
      await put(database, "a", `${large}${round}`);
      await store.persist();
    }
    expect(statSync(journal()).size).toBeLessThan(6_000_000);
    expect(await afterKill()).toEqual({ a: `${large}39` });
  });
});
