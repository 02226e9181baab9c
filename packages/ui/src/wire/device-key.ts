// This browser's own key: made once, kept where scripts cannot read it out, and the proof it gives of itself.
const DATABASE = "chela";
const STORE = "device";
const KEY_RECORD = "key";
const TOKEN_RECORD = "token";

interface KeyRecord {
  readonly privateKey: CryptoKey;
  /** Raw, base64url. */
  readonly publicKey: string;
  readonly deviceId: string;
}

/** What a proof is about; the order is the protocol's. */
export interface ProofWords {
  readonly clientId: string;
  readonly clientMode: string;
  readonly role: string;
  readonly scopes: readonly string[];
  /** The secret that is sent along, or an empty string. */
  readonly secret: string;
  readonly nonce: string;
  readonly platform: string;
}

export interface DeviceProof {
  readonly id: string;
  readonly publicKey: string;
  readonly signature: string;
  readonly signedAt: number;
  readonly nonce: string;
}

/** Browsers give keys to pages from https and from this machine only. */
export function canMakeKeys(): boolean {
  return window.isSecureContext && "subtle" in crypto && "indexedDB" in window;
}

export async function proveDevice(words: ProofWords): Promise<DeviceProof> {
  const { privateKey, publicKey, deviceId } = await ownKey();
  const signedAt = Date.now();
  const { clientId, clientMode, role, scopes, secret, nonce, platform } = words;
  const said = ["v3", deviceId, clientId, clientMode, role, scopes.join(","), signedAt, secret, nonce, platform, ""];
  const signature = await crypto.subtle.sign("Ed25519", privateKey, new TextEncoder().encode(said.join("|")));
  return { id: deviceId, publicKey, signature: base64url(signature), signedAt, nonce };
}

/** The id under which the gateway knows this browser, if it has a key. */
export async function readDeviceId(): Promise<string | undefined> {
  return canMakeKeys() ? ((await read(KEY_RECORD)) as KeyRecord | undefined)?.deviceId : undefined;
}

export async function readDeviceToken(): Promise<string | undefined> {
  return (await read(TOKEN_RECORD)) as string | undefined;
}

export async function keepDeviceToken(token: string | undefined): Promise<void> {
  await write(TOKEN_RECORD, token);
}

async function ownKey(): Promise<KeyRecord> {
  const known = (await read(KEY_RECORD)) as KeyRecord | undefined;
  if (known) return known;
  const pair = (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair;
  const raw = await crypto.subtle.exportKey("raw", pair.publicKey);
  const digest = await crypto.subtle.digest("SHA-256", raw);
  const record = { privateKey: pair.privateKey, publicKey: base64url(raw), deviceId: hex(digest) };
  await write(KEY_RECORD, record);
  // Two tabs may have made one at the same time: the one that was kept counts.
  return ((await read(KEY_RECORD)) as KeyRecord | undefined) ?? record;
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function read(name: string): Promise<unknown> {
  return withStore("readonly", (store) => store.get(name));
}

async function write(name: string, value: unknown): Promise<void> {
  if (value === undefined) return withStore("readwrite", (store) => store.delete(name));
  await withStore("readwrite", (store) => store.put(value, name));
}

async function withStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await settled(open());
  try {
    return await settled(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function open(): IDBOpenDBRequest {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
  return request;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the browser's storage failed")));
  });
}
