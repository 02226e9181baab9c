// Our own way to sign a request: a time and a digest over it and the body. For what we send and for what comes.
import { hmacSha256, isSameText } from "./hmac.ts";

/** How far the clocks of both sides may be apart. */
const WINDOW_SECONDS = 5 * 60;

export interface SignatureHeaders {
  readonly "x-chela-timestamp": string;
  readonly "x-chela-signature": string;
}

interface SignedRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export function signBody(secret: string, body: string | Uint8Array, now: number): SignatureHeaders {
  const stamp = String(Math.floor(now / 1000));
  return { "x-chela-timestamp": stamp, "x-chela-signature": signatureOf(secret, stamp, body) };
}

const WRONG = "the X-Chela-Signature is missing or wrong";

/** The reason why its body need not be read, or undefined. */
export function doubtOfHead({ headers }: Pick<SignedRequest, "headers">, now: number): string | undefined {
  const stamp = headers["x-chela-timestamp"] ?? "";
  if (!/^\d{1,12}$/.test(stamp)) return "the X-Chela-Timestamp is missing; send the time in unix seconds";
  if (!/^v1=[0-9a-f]{64}$/.test(headers["x-chela-signature"] ?? "")) return WRONG;
  if (Math.abs(now / 1000 - Number(stamp)) > WINDOW_SECONDS) {
    return "the X-Chela-Timestamp is more than five minutes off; check the clock, and sign anew for each attempt";
  }
  return undefined;
}

/** The reason why a request whose head is well is not believed, or undefined. */
export function doubtOfSignedBody({ headers, body }: SignedRequest, secret: string): string | undefined {
  const stamp = headers["x-chela-timestamp"] ?? "";
  return isSameText(headers["x-chela-signature"], signatureOf(secret, stamp, body)) ? undefined : WRONG;
}

export function signatureOf(secret: string, stamp: string, body: string | Uint8Array): string {
  return `v1=${hmacSha256(secret, `v1:${stamp}:`, body).toString("hex")}`;
}
