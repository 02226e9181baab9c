// The credentials of a linked account, as files beside each other: creds.json, its backup, and one file for each key.
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AuthenticationCreds, SignalDataSet, SignalDataTypeMap, SignalKeyStore } from "baileys";
import * as z from "zod";
import { GatewayError, once, type Logger } from "@chela/sdk";
import { isMissing, writePrivateFile } from "@chela/sdk/channel-kit";
import type { Library } from "./library.ts";

type AuthLibrary = Pick<Library, "BufferJSON" | "initAuthCreds" | "proto">;

const CREDS = "creds.json";
const BACKUP = "creds.json.bak";
/** What the library names its keys by, so that files of other programs are left alone. */
const KEY_FILE =
  /^(pre-key|session|sender-key|sender-key-memory|app-state-sync-key|app-state-sync-version|lid-mapping|device-list|tctoken|identity-key)-.+\.json$/;

const Pair = () => z.object({ public: z.instanceof(Uint8Array), private: z.instanceof(Uint8Array) });
const Creds = once(() =>
  z.looseObject({
    noiseKey: Pair(),
    signedIdentityKey: Pair(),
    signedPreKey: z.looseObject({ keyPair: Pair(), keyId: z.number() }),
    registrationId: z.number(),
    advSecretKey: z.string(),
  }),
);

export class AuthFiles {
  readonly keys: SignalKeyStore;
  #creds: AuthenticationCreds;
  readonly #directory: string;
  readonly #library: AuthLibrary;
  /** One at a time, so that the newest version is what stays. */
  #queue: Promise<void> = Promise.resolve();
  #isSavePlanned = false;

  private constructor(directory: string, library: AuthLibrary, creds: AuthenticationCreds) {
    this.#directory = directory;
    this.#library = library;
    this.#creds = creds;
    this.keys = {
      get: (type, ids) => this.#readKeys(type, ids),
      set: (data) => this.#enqueue(() => this.#writeKeys(data)),
    };
  }

  /** A damaged creds.json is replaced by its backup. Without credentials new ones are made, that nobody knows yet. */
  static async open(directory: string, library: AuthLibrary, log: Logger): Promise<AuthFiles> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const current = await readCreds(join(directory, CREDS), library);
    if (current.kind === "read") return new AuthFiles(directory, library, current.creds);
    const backup = await readCreds(join(directory, BACKUP), library);
    if (backup.kind === "read") {
      log.warn("the credentials were damaged or gone; their backup is used", { file: CREDS });
      const files = new AuthFiles(directory, library, backup.creds);
      await files.#write(CREDS, files.#creds, true);
      return files;
    }
    if (current.kind === "damaged") {
      throw new GatewayError("CHANNEL_AUTH", `${join(directory, CREDS)} is damaged and there is no good backup of it`);
    }
    return new AuthFiles(directory, library, library.initAuthCreds());
  }

  get creds(): AuthenticationCreds {
    return this.#creds;
  }

  /** Somebody has agreed to these credentials. */
  get isLinked(): boolean {
    const { me, account, registered } = this.#creds;
    return Boolean(me?.id) && (Boolean(account) || registered);
  }

  /** Saves soon; changes that come together are written once. */
  planSave(): void {
    if (this.#isSavePlanned) return;
    this.#isSavePlanned = true;
    void this.#enqueue(async () => {
      this.#isSavePlanned = false;
      await this.#saveCreds();
    }).catch(() => {});
  }

  /** Resolves when all that was to be saved is saved; rejects when the last of it could not be. */
  async flush(): Promise<void> {
    await this.#enqueue(() => this.#saveCreds());
  }

  /** Begins anew with credentials nobody knows. */
  async forget(): Promise<void> {
    await this.#enqueue(async () => {
      const names = await readdir(this.#directory);
      const gone = names.filter((name) => name === CREDS || name === BACKUP || KEY_FILE.test(name));
      await Promise.all(gone.map((name) => rm(join(this.#directory, name), { force: true })));
      this.#creds = this.#library.initAuthCreds();
    });
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(task);
    this.#queue = done.catch(() => {});
    return done;
  }

  /** What was there becomes the backup, if it is whole. */
  async #saveCreds(): Promise<void> {
    const current = await readCreds(join(this.#directory, CREDS), this.#library);
    if (current.kind === "read") await this.#write(BACKUP, current.creds, true);
    await this.#write(CREDS, this.#creds, true);
  }

  async #readKeys<T extends keyof SignalDataTypeMap>(
    type: T,
    ids: string[],
  ): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    await this.#queue;
    const found: { [id: string]: SignalDataTypeMap[T] } = {};
    for (const id of ids) {
      const value = await this.#readKey(type, id);
      if (value !== undefined) found[id] = value as SignalDataTypeMap[T];
    }
    return found;
  }

  async #readKey(type: string, id: string): Promise<unknown> {
    const value = await readJson(join(this.#directory, keyFile(type, id)), this.#library);
    if (value === undefined || type !== "app-state-sync-key") return value;
    return this.#library.proto.Message.AppStateSyncKeyData.fromObject(value as Record<string, unknown>);
  }

  async #writeKeys(data: SignalDataSet): Promise<void> {
    for (const [type, values] of Object.entries(data)) {
      for (const [id, value] of Object.entries(values ?? {})) {
        const name = keyFile(type, id);
        if (value) await this.#write(name, value, false);
        else await rm(join(this.#directory, name), { force: true });
      }
    }
  }

  #write(name: string, value: unknown, isLasting: boolean): Promise<void> {
    const text = JSON.stringify(value, this.#library.BufferJSON.replacer);
    return writePrivateFile(join(this.#directory, name), text, isLasting);
  }
}

/** Ids hold addresses; a name must not lead to another directory. */
function keyFile(type: string, id: string): string {
  return `${`${type}-${id}`.replaceAll("/", "__").replaceAll(":", "-")}.json`;
}

type ReadCreds =
  | { readonly kind: "read"; readonly creds: AuthenticationCreds }
  | { readonly kind: "missing" }
  | { readonly kind: "damaged" };

async function readCreds(path: string, library: AuthLibrary): Promise<ReadCreds> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    throw new GatewayError("CHANNEL_SETTINGS", `the credentials cannot be read: ${path}`, { cause: error });
  }
  try {
    const creds: unknown = JSON.parse(text, library.BufferJSON.reviver);
    return Creds().safeParse(creds).success
      ? { kind: "read", creds: creds as AuthenticationCreds }
      : { kind: "damaged" };
  } catch {
    return { kind: "damaged" };
  }
}

/** A key that cannot be read is one that is not there: the other side then sends anew with fresh keys. */
async function readJson(path: string, library: AuthLibrary): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"), library.BufferJSON.reviver);
  } catch {
    return undefined;
  }
}
