// A small store of a plugin, by key, in its own folder: one file, written whole.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

interface KeyedStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<string[]>;
}

export async function keyedStore(path: string): Promise<KeyedStore> {
  await mkdir(dirname(path), { recursive: true });
  const values = new Map<string, unknown>(Object.entries(await read(path)));
  let writing = Promise.resolve();
  const write = (): Promise<void> => {
    writing = writing.then(async () => {
      await writeFile(`${path}.new`, JSON.stringify(Object.fromEntries(values)));
      await rename(`${path}.new`, path);
    });
    return writing;
  };
  return {
    get: async (key) => values.get(key),
    set: (key, value) => (values.set(key, value), write()),
    delete: (key) => (values.delete(key), write()),
    keys: async () => [...values.keys()],
  };
}

async function read(path: string): Promise<object> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
