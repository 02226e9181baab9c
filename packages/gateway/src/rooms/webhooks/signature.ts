// Checks that a request is from a holder of the mapping's secret: over the bytes as they came, before any of it is read.
import { defined } from "@chela/sdk/base";
import { hmacSha256, isSameText, signatureOf, signBody } from "@chela/sdk/signing";
import type { Signature, SignatureType } from "./mapping/mapping.ts";

export interface SignedCall {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export type Proof =
  /** `stamp` and `id` were signed, too. */
  | { readonly kind: "proven"; readonly stamp?: string; readonly id?: string }
  | { readonly kind: "doubt"; readonly why: string };

/** What a head says of who sent it, before anything of the body is known. */
interface Claim {
  /** Any of them may be the right one. */
  readonly signatures: readonly string[];
  readonly stamp?: string;
  readonly id?: string;
}

interface Scheme {
  /** The header that is named when a signature is missing or wrong, and the one its time is in. */
  readonly signedIn: string;
  readonly timeIn?: string;
  readonly form: RegExp;
  claim(headers: SignedCall["headers"], signature: Signature): Claim;
  /** What a right signature reads; more than one where a sender may choose how to write it. */
  expected(body: Uint8Array, signature: Signature, claim: Claim): readonly string[];
  /** The headers its sender would send. */
  sign(body: Uint8Array, signature: Signature, now: number, id: string): Record<string, string>;
}

const GENERIC_HEADER = "x-signature";
const HEX_DIGEST = /^[0-9a-f]{64}$/;

/** The reason why the body of a request need not be read, or undefined: its head could be one that was signed. */
export function doubtOfHead(
  { headers }: Pick<SignedCall, "headers">,
  signature: Signature,
  now: number,
): string | undefined {
  const scheme = SCHEMES[signature.type];
  const { signatures, stamp, id } = scheme.claim(headers, signature);
  const { signedIn, timeIn, form } = scheme;
  if (timeIn !== undefined && !/^\d{1,12}$/.test(stamp ?? "")) return `the ${timeIn} is missing or has no time`;
  if (id === "") return "the Webhook-Id is missing";
  if (!signatures.some((given) => form.test(given))) return `the ${headerOf(signature, signedIn)} is missing or wrong`;
  if (timeIn === undefined || Math.abs(now / 1000 - Number(stamp)) <= signature.toleranceSeconds) return undefined;
  return `the time in the ${timeIn} is more than ${signature.toleranceSeconds} seconds off`;
}

export function checkSignature(call: SignedCall, signature: Signature, now: number): Proof {
  const why = doubtOfHead(call, signature, now);
  if (why !== undefined) return { kind: "doubt", why };
  const scheme = SCHEMES[signature.type];
  const claim = scheme.claim(call.headers, signature);
  const expected = scheme.expected(call.body, signature, claim);
  // All are compared in any case, so that the time tells nothing.
  const isRight = claim.signatures.flatMap((given) => expected.map((one) => isSameText(given, one))).includes(true);
  if (!isRight) return { kind: "doubt", why: `the ${headerOf(signature, scheme.signedIn)} is missing or wrong` };
  const { stamp, id } = claim;
  return { kind: "proven", ...defined({ stamp, id }) };
}

export function signCall(body: Uint8Array, signature: Signature, now: number, id: string): Record<string, string> {
  return SCHEMES[signature.type].sign(body, signature, now, id);
}

const hex = (digest: Buffer): string => digest.toString("hex");
const secondsOf = (now: number): string => String(Math.floor(now / 1000));
const one = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);

const SCHEMES: Readonly<Record<SignatureType, Scheme>> = {
  github: {
    signedIn: "X-Hub-Signature-256",
    form: /^sha256=[0-9a-f]{64}$/,
    claim: (headers) => ({ signatures: one(headers["x-hub-signature-256"]) }),
    expected: (body, { secret }) => [`sha256=${hex(hmacSha256(secret.reveal(), body))}`],
    sign: (body, { secret }) => ({ "x-hub-signature-256": `sha256=${hex(hmacSha256(secret.reveal(), body))}` }),
  },
  sentry: {
    signedIn: "Sentry-Hook-Signature",
    form: HEX_DIGEST,
    claim: (headers) => ({ signatures: one(headers["sentry-hook-signature"]) }),
    expected: (body, { secret }) => [hex(hmacSha256(secret.reveal(), body))],
    sign: (body, { secret }) => ({ "sentry-hook-signature": hex(hmacSha256(secret.reveal(), body)) }),
  },
  stripe: {
    signedIn: "Stripe-Signature",
    timeIn: "Stripe-Signature",
    form: HEX_DIGEST,
    claim(headers) {
      const fields = (headers["stripe-signature"] ?? "").split(",").map((field) => field.trim().split("="));
      const valuesOf = (key: string) => fields.flatMap(([name, value]) => (name === key && value ? [value] : []));
      const stamps = valuesOf("t");
      // Of two times only one can have been signed.
      return { signatures: valuesOf("v1"), stamp: stamps.length === 1 ? (stamps[0] ?? "") : "" };
    },
    expected: (body, { secret }, { stamp }) => [hex(hmacSha256(secret.reveal(), `${stamp}.`, body))],
    sign(body, { secret }, now) {
      const stamp = secondsOf(now);
      return { "stripe-signature": `t=${stamp},v1=${hex(hmacSha256(secret.reveal(), `${stamp}.`, body))}` };
    },
  },
  slack: {
    signedIn: "X-Slack-Signature",
    timeIn: "X-Slack-Request-Timestamp",
    form: /^v0=[0-9a-f]{64}$/,
    claim: (headers) => ({
      signatures: one(headers["x-slack-signature"]),
      stamp: headers["x-slack-request-timestamp"] ?? "",
    }),
    expected: (body, { secret }, { stamp }) => [`v0=${hex(hmacSha256(secret.reveal(), `v0:${stamp}:`, body))}`],
    sign(body, { secret }, now) {
      const stamp = secondsOf(now);
      const signature = `v0=${hex(hmacSha256(secret.reveal(), `v0:${stamp}:`, body))}`;
      return { "x-slack-request-timestamp": stamp, "x-slack-signature": signature };
    },
  },
  standard: {
    signedIn: "Webhook-Signature",
    timeIn: "Webhook-Timestamp",
    form: /^v1,[A-Za-z0-9+/]{43}=$/,
    claim(headers) {
      const of = (name: string) => headers[`webhook-${name}`] ?? headers[`svix-${name}`] ?? "";
      return { signatures: of("signature").split(" "), stamp: of("timestamp"), id: of("id") };
    },
    expected: (body, { secret }, { id = "", stamp = "" }) => [`v1,${standardDigest(secret.reveal(), id, stamp, body)}`],
    sign(body, { secret }, now, id) {
      const stamp = secondsOf(now);
      const signature = `v1,${standardDigest(secret.reveal(), id, stamp, body)}`;
      return { "webhook-id": id, "webhook-timestamp": stamp, "webhook-signature": signature };
    },
  },
  chela: {
    signedIn: "X-Chela-Signature",
    timeIn: "X-Chela-Timestamp",
    form: /^v1=[0-9a-f]{64}$/,
    claim: (headers) => ({
      signatures: one(headers["x-chela-signature"]),
      stamp: headers["x-chela-timestamp"] ?? "",
    }),
    expected: (body, { secret }, { stamp = "" }) => [signatureOf(secret.reveal(), stamp, body)],
    sign: (body, { secret }, now) => ({ ...signBody(secret.reveal(), body, now) }),
  },
  generic: {
    signedIn: GENERIC_HEADER,
    form: /^(?:[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i,
    claim: (headers, { header = GENERIC_HEADER }) => {
      const given = headers[header]?.trim().replace(/^sha256=/i, "");
      // Hex digits mean the same in both cases; the other spellings do not.
      return { signatures: one(given && /^[0-9a-f]{64}$/i.test(given) ? given.toLowerCase() : given) };
    },
    expected(body, { secret }) {
      const digest = hmacSha256(secret.reveal(), body);
      return [digest.toString("hex"), digest.toString("base64"), digest.toString("base64url")];
    },
    sign: (body, { secret, header = GENERIC_HEADER }) => ({
      [header]: `sha256=${hex(hmacSha256(secret.reveal(), body))}`,
    }),
  },
};

function headerOf({ type, header }: Signature, usual: string): string {
  return type === "generic" ? (header ?? usual) : usual;
}

/** Secrets of this kind are bytes, written behind a prefix. */
function standardDigest(secret: string, id: string, stamp: string, body: Uint8Array): string {
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : secret;
  return hmacSha256(key, `${id}.${stamp}.`, body).toString("base64");
}
