// Encrypts and decrypts values: AES-256-GCM with a fresh nonce each time, and a key of its own for each purpose.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** All base64. */
export interface Sealed {
  readonly nonce: string;
  readonly data: string;
  readonly tag: string;
}

/** `wrap` closes the data key, `value` the values. No key is ever used for two things. */
export type KeyPurpose = "wrap" | "value";

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

export function deriveKey(secret: Uint8Array, salt: Uint8Array, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, `chela-vault/1/${purpose}`, KEY_BYTES));
}

/** `about` is not hidden, but what was sealed opens only together with the very same words. */
export function seal(key: Uint8Array, plain: Uint8Array, about: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(about));
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return {
    nonce: nonce.toString("base64"),
    data: data.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
  };
}

/** Undefined for another key, other words, or a single changed bit. */
export function unseal(key: Uint8Array, sealed: Sealed, about: string): Buffer | undefined {
  const nonce = Buffer.from(sealed.nonce, "base64");
  const tag = Buffer.from(sealed.tag, "base64");
  // A shorter tag would be easier to guess, so its length is not the file's to say.
  if (nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(about))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(Buffer.from(sealed.data, "base64")), decipher.final()]);
  } catch {
    return undefined;
  }
}
