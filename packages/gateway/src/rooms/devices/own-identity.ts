// The client's side: this machine's own device key, the signed proof it sends, and the tokens gateways gave it.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { GatewayError, once, type Clock, type Logger, type Parsed } from "@chela/sdk";
import * as z from "zod";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import {
  buildPayload,
  deviceIdOf,
  encodePublicKey,
  parsePublicKey,
  type DeviceProof,
  type SignedConnect,
} from "./identity.ts";
import { cleanScopes } from "./scopes.ts";

const identitySchema = once(() =>
  z.looseObject({
    version: z.literal(1),
    deviceId: z.string(),
    publicKeyPem: z.string(),
    privateKeyPem: z.string(),
    createdAtMs: z.number(),
  }),
);

const authSchema = once(() =>
  z.looseObject({
    version: z.literal(1),
    deviceId: z.string(),
    tokens: z.record(
      z.string(),
      z.looseObject({ token: z.string(), role: z.string(), scopes: z.array(z.string()), updatedAtMs: z.number() }),
    ),
  }),
);

/** Where the identity lives and who is told when a file had to be set aside. */
export interface IdentityPlace {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface OwnIdentity {
  readonly deviceId: string;
  /** base64url of the raw key. */
  readonly publicKey: string;
  /** The `device` part of connect parameters, signed as v3. */
  prove(connect: SignedConnect, signedAt: number): DeviceProof;
}

/** Loads `<stateDir>/identity/device.json`, or makes it. A file that is damaged is set aside, never overwritten. */
export function loadOwnIdentity(place: IdentityPlace): OwnIdentity {
  const path = join(place.stateDir, "identity", "device.json");
  const existing = readIdentity(path, place);
  if (existing) return existing;
  createIdentityFile(path, place.clock);
  const created = readIdentity(path, place);
  if (!created) throw new GatewayError("START_STATE", `${path} was written but cannot be read back`);
  return created;
}

function readIdentity(path: string, place: IdentityPlace): OwnIdentity | undefined {
  const text = readOptional(path);
  if (text === undefined) return undefined;
  const identity = toIdentity(parseJson(text, identitySchema()));
  if (!identity) setAside(path, place);
  return identity;
}

function setAside(path: string, { clock, log }: IdentityPlace): void {
  const aside = `${path}.damaged.${clock.now()}`;
  renameSync(path, aside);
  log.error("Identity file is damaged; it was set aside and a new one takes its place", { path, aside });
}

function toIdentity(file: Parsed<typeof identitySchema> | undefined): OwnIdentity | undefined {
  if (!file) return undefined;
  const raw = parsePublicKey(file.publicKeyPem);
  const privateKey = parsePrivateKey(file.privateKeyPem);
  if (!raw || !privateKey) return undefined;
  const derived = parsePublicKey(createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString());
  if (!derived?.equals(raw)) return undefined;
  const deviceId = deviceIdOf(raw);
  const publicKey = encodePublicKey(raw);
  return {
    deviceId,
    publicKey,
    prove(connect, signedAt) {
      const payload = buildPayload("v3", deviceId, signedAt, connect);
      const signature = sign(null, Buffer.from(payload), privateKey).toString("base64url");
      return { id: deviceId, publicKey, signature, signedAt, nonce: connect.nonce };
    },
  };
}

function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Two programs may start at once: the link succeeds for one of them, and both then read that one. */
function createIdentityFile(path: string, clock: Clock): void {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const publicKeyPem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  const file = {
    version: 1,
    deviceId: deviceIdOf(raw),
    publicKeyPem,
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    createdAtMs: clock.now(),
  };
  const draft = `${path}.${process.pid}.draft`;
  writeFileAtomic(draft, `${JSON.stringify(file, null, 2)}\n`);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") {
      // A file system without hard links: the rename is still atomic.
      renameSync(draft, path);
      return;
    }
  }
  rmSync(draft, { force: true });
}

export interface DeviceAuthStore {
  read(deviceId: string, role: string): { readonly token: string; readonly scopes: readonly string[] } | undefined;
  write(
    deviceId: string,
    entry: { readonly role: string; readonly token: string; readonly scopes: readonly string[] },
  ): void;
  remove(deviceId: string, role: string): void;
}

/** The tokens this device was given, in `<stateDir>/identity/device-auth.json`. A file of another device is ignored. */
export function createDeviceAuthStore(place: IdentityPlace): DeviceAuthStore {
  const path = join(place.stateDir, "identity", "device-auth.json");
  const load = (deviceId: string) => {
    const text = readOptional(path);
    const file = text === undefined ? undefined : parseJson(text, authSchema());
    if (text !== undefined && !file) setAside(path, place);
    return file?.deviceId === deviceId ? file : { version: 1 as const, deviceId, tokens: {} };
  };
  const save = (file: Parsed<typeof authSchema>) => writeFileAtomic(path, `${JSON.stringify(file, null, 2)}\n`);
  return {
    read(deviceId, role) {
      const { tokens } = load(deviceId);
      return Object.hasOwn(tokens, role) ? tokens[role] : undefined;
    },
    write(deviceId, { role, token, scopes }) {
      const file = load(deviceId);
      const entry = { token, role, scopes: cleanScopes(scopes).toSorted(), updatedAtMs: place.clock.now() };
      save({ ...file, tokens: { ...file.tokens, [role]: entry } });
    },
    remove(deviceId, role) {
      const file = load(deviceId);
      if (!Object.hasOwn(file.tokens, role)) return;
      save({ ...file, tokens: Object.fromEntries(Object.entries(file.tokens).filter(([name]) => name !== role)) });
    },
  };
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw new GatewayError("START_STATE", `${path} cannot be read (${errnoOf(error) ?? "unknown reason"})`, {
      cause: error,
    });
  }
}

function parseJson<T>(text: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
