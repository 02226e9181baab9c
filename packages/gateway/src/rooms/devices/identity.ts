// Proof of a device: its id, its key, and the signed line it sends when it connects. Pure.
import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";

const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const MAX_SKEW_MS = 120_000;

export interface DeviceProof {
  readonly id: string;
  readonly publicKey: string;
  readonly signature: string;
  readonly signedAt: number;
  readonly nonce: string;
}

/** What is signed besides the key itself: the connection as the client described it. */
export interface SignedConnect {
  readonly clientId: string;
  readonly clientMode: string;
  readonly role: string;
  readonly scopes: readonly string[];
  /** auth.token ?? auth.deviceToken ?? auth.bootstrapToken ?? "" */
  readonly token: string;
  readonly nonce: string;
  readonly platform?: string | undefined;
  readonly deviceFamily?: string | undefined;
}

export interface ProofToVerify extends SignedConnect {
  readonly device: DeviceProof;
  /** Server time in milliseconds. */
  readonly now: number;
}

const REJECTIONS = {
  "device-id-mismatch": ["device identity mismatch", "DEVICE_AUTH_DEVICE_ID_MISMATCH"],
  "device-signature-stale": ["device signature expired", "DEVICE_AUTH_SIGNATURE_EXPIRED"],
  "device-nonce-missing": ["device nonce required", "DEVICE_AUTH_NONCE_REQUIRED"],
  "device-nonce-mismatch": ["device nonce mismatch", "DEVICE_AUTH_NONCE_MISMATCH"],
  "device-signature": ["device signature invalid", "DEVICE_AUTH_SIGNATURE_INVALID"],
  "device-public-key": ["device public key invalid", "DEVICE_AUTH_PUBLIC_KEY_INVALID"],
} as const;

type ProofRejection = keyof typeof REJECTIONS;

export type ProofOutcome =
  | { readonly kind: "ok"; readonly version: "v2" | "v3"; readonly publicKey: string }
  | {
      readonly kind: "rejected";
      readonly reason: ProofRejection;
      readonly message: string;
      readonly detailCode: string;
    };

/** Lowercase hexadecimal SHA-256 of the 32 raw bytes of the public key. */
export function deviceIdOf(publicKeyRaw: Uint8Array): string {
  return createHash("sha256").update(publicKeyRaw).digest("hex");
}

/** Reads base64url, standard base64 or PEM; gives the 32 raw bytes, or undefined when it is no Ed25519 key. */
export function parsePublicKey(text: string): Buffer | undefined {
  return text.includes("-----BEGIN PUBLIC KEY-----") ? rawFromPem(text) : decodeBase64(text, 32);
}

/** How public keys are stored and shown: base64url of the raw bytes. */
export function encodePublicKey(raw: Uint8Array): string {
  return Buffer.from(raw).toString("base64url");
}

export function buildPayload(version: "v2" | "v3", deviceId: string, signedAt: number, connect: SignedConnect): string {
  const { clientId, clientMode, role, scopes, token, nonce } = connect;
  const fields = [version, deviceId, clientId, clientMode, role, scopes.join(","), String(signedAt), token, nonce];
  if (version === "v3") fields.push(normalizeMetadata(connect.platform), normalizeMetadata(connect.deviceFamily));
  return fields.join("|");
}

/** Platform and family are compared and signed trimmed and in ASCII lower case. */
export function normalizeMetadata(text: string | undefined): string {
  return (text ?? "").trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function verifyDeviceProof(input: ProofToVerify): ProofOutcome {
  const { device } = input;
  const raw = parsePublicKey(device.publicKey);
  if (!raw) return reject("device-public-key");
  if (deviceIdOf(raw) !== device.id) return reject("device-id-mismatch");
  // Written so that a time that is not a number is refused too.
  if (!(Math.abs(input.now - device.signedAt) <= MAX_SKEW_MS)) return reject("device-signature-stale");
  const nonce = device.nonce.trim();
  if (nonce === "") return reject("device-nonce-missing");
  if (nonce !== input.nonce) return reject("device-nonce-mismatch");
  const signature = decodeBase64(device.signature, 64);
  if (!signature) return reject("device-signature");
  const key = toKeyObject(raw);
  const version = (["v3", "v2"] as const).find((candidate) =>
    verify(null, Buffer.from(buildPayload(candidate, device.id, device.signedAt, input)), key, signature),
  );
  return version ? { kind: "ok", version, publicKey: encodePublicKey(raw) } : reject("device-signature");
}

function reject(reason: ProofRejection): ProofOutcome {
  const [message, detailCode] = REJECTIONS[reason];
  return { kind: "rejected", reason, message, detailCode };
}

function rawFromPem(pem: string): Buffer | undefined {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== "ed25519") return undefined;
    return key.export({ type: "spki", format: "der" }).subarray(SPKI_PREFIX.length);
  } catch {
    return undefined;
  }
}

function toKeyObject(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: "der", type: "spki" });
}

/** Node decodes base64 leniently, so the alphabet and the length are checked here. */
function decodeBase64(text: string, bytes: number): Buffer | undefined {
  const trimmed = text.trim();
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(trimmed)) return undefined;
  const decoded = Buffer.from(trimmed, "base64");
  return decoded.length === bytes ? decoded : undefined;
}
