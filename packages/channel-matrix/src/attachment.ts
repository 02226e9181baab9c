// Encryption of files as in Matrix: AES in counter mode, with a hash of what is stored on the server.
import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { GatewayError } from "@chela/sdk";
import type { FileKeys } from "./media-ref.ts";

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "");

/** The bytes to upload, and what goes into the message so that others can read them. */
export function encryptFile(clear: Uint8Array): { readonly bytes: Uint8Array<ArrayBuffer>; readonly file: object } {
  const key = randomBytes(32);
  // The lower half is the counter, and begins at nothing.
  const iv = Buffer.concat([randomBytes(8), Buffer.alloc(8)]);
  const cipher = createCipheriv("aes-256-ctr", key, iv);
  const bytes = new Uint8Array(Buffer.concat([cipher.update(clear), cipher.final()]));
  const file = {
    v: "v2",
    key: { kty: "oct", key_ops: ["encrypt", "decrypt"], alg: "A256CTR", k: key.toString("base64url"), ext: true },
    iv: unpadded(iv),
    hashes: { sha256: unpadded(createHash("sha256").update(bytes).digest()) },
  };
  return { bytes, file };
}

/** Decrypts as it comes. That the file was changed shows only at its end: whoever reads must then forget all of it. */
export async function* decryptStream(bytes: AsyncIterable<Uint8Array>, keys: FileKeys): AsyncGenerator<Uint8Array> {
  const key = Buffer.from(keys.key, "base64url");
  const iv = Buffer.from(keys.iv, "base64");
  const expected = Buffer.from(keys.sha256, "base64");
  if (key.length !== 32 || iv.length !== 16 || expected.length !== 32) throw damaged();
  const decipher = createDecipheriv("aes-256-ctr", key, iv);
  const hash = createHash("sha256");
  for await (const part of bytes) {
    hash.update(part);
    yield decipher.update(part);
  }
  if (!timingSafeEqual(hash.digest(), expected)) throw damaged();
}

function damaged(): GatewayError {
  return new GatewayError("CHANNEL_REFUSED", "an encrypted file was changed on its way, or its keys are wrong");
}
