// Whether a request was sent by who holds the mapping's secret: over the bytes as they came, before anything of them is read.
import { hmacSha256, isSameText } from "../../base/http/hmac.ts";
import { doubtOfSignedBody, signBody } from "../../base/http/signed-body.ts";
import type { Signature, SignatureType } from "./mapping.ts";

export interface SignedCall {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export type Proof =
  /** `stamp` and `id` were signed, too. */
  | { readonly kind: "proven"; readonly stamp?: string; readonly id?: string }
  | { readonly kind: "doubt"; readonly why: string };

interface Scheme {
  check(call: SignedCall, signature: Signature, now: number): Proof;
  /** The headers its sender would send. */
  sign(body: Uint8Array, signature: Signature, now: number, id: string): Record<string, string>;
}

const GENERIC_HEADER = "x-signature";

export function checkSignature(call: SignedCall, signature: Signature, now: number): Proof {
  return SCHEMES[signature.type].check(call, signature, now);
}

export function signCall(body: Uint8Array, signature: Signature, now: number, id: string): Record<string, string> {
  return SCHEMES[signature.type].sign(body, signature, now, id);
}

const PROVEN: Proof = { kind: "proven" };
const doubt = (why: string): Proof => ({ kind: "doubt", why });
const hex = (digest: Buffer): string => digest.toString("hex");
const secondsOf = (now: number): string => String(Math.floor(now / 1000));

const SCHEMES: Readonly<Record<SignatureType, Scheme>> = {
  github: {
    check: ({ headers, body }, { secret }) =>
      isSameText(headers["x-hub-signature-256"], `sha256=${hex(hmacSha256(secret.reveal(), body))}`)
        ? PROVEN
        : doubt("the X-Hub-Signature-256 is missing or wrong"),
    sign: (body, { secret }) => ({ "x-hub-signature-256": `sha256=${hex(hmacSha256(secret.reveal(), body))}` }),
  },
  sentry: {
    check: ({ headers, body }, { secret }) =>
      isSameText(headers["sentry-hook-signature"], hex(hmacSha256(secret.reveal(), body)))
        ? PROVEN
        : doubt("the Sentry-Hook-Signature is missing or wrong"),
    sign: (body, { secret }) => ({ "sentry-hook-signature": hex(hmacSha256(secret.reveal(), body)) }),
  },
  stripe: {
    check({ headers, body }, { secret, toleranceSeconds }, now) {
      const fields = (headers["stripe-signature"] ?? "").split(",").map((field) => field.trim().split("="));
      const valuesOf = (key: string) => fields.flatMap(([name, value]) => (name === key && value ? [value] : []));
      const [stamp = "", ...more] = valuesOf("t");
      if (more.length > 0 || !isStamp(stamp)) return doubt("the Stripe-Signature is missing or has no time");
      const expected = hex(hmacSha256(secret.reveal(), `${stamp}.`, body));
      if (!valuesOf("v1").some((given) => isSameText(given, expected))) return doubt("the Stripe-Signature is wrong");
      return within("Stripe-Signature", stamp, now, toleranceSeconds);
    },
    sign(body, { secret }, now) {
      const stamp = secondsOf(now);
      return { "stripe-signature": `t=${stamp},v1=${hex(hmacSha256(secret.reveal(), `${stamp}.`, body))}` };
    },
  },
  slack: {
    check({ headers, body }, { secret, toleranceSeconds }, now) {
      const stamp = headers["x-slack-request-timestamp"] ?? "";
      if (!isStamp(stamp)) return doubt("the X-Slack-Request-Timestamp is missing");
      const expected = `v0=${hex(hmacSha256(secret.reveal(), `v0:${stamp}:`, body))}`;
      if (!isSameText(headers["x-slack-signature"], expected))
        return doubt("the X-Slack-Signature is missing or wrong");
      return within("X-Slack-Request-Timestamp", stamp, now, toleranceSeconds);
    },
    sign(body, { secret }, now) {
      const stamp = secondsOf(now);
      const signature = `v0=${hex(hmacSha256(secret.reveal(), `v0:${stamp}:`, body))}`;
      return { "x-slack-request-timestamp": stamp, "x-slack-signature": signature };
    },
  },
  standard: {
    check({ headers, body }, { secret, toleranceSeconds }, now) {
      const of = (name: string) => headers[`webhook-${name}`] ?? headers[`svix-${name}`] ?? "";
      const [id, stamp] = [of("id"), of("timestamp")];
      if (id === "" || !isStamp(stamp)) return doubt("the Webhook-Id or the Webhook-Timestamp is missing");
      const expected = `v1,${standardDigest(secret.reveal(), id, stamp, body)}`;
      const isRight = of("signature")
        .split(" ")
        .some((given) => isSameText(given, expected));
      if (!isRight) return doubt("the Webhook-Signature is missing or wrong");
      const proof = within("Webhook-Timestamp", stamp, now, toleranceSeconds);
      return proof.kind === "proven" ? { ...proof, id } : proof;
    },
    sign(body, { secret }, now, id) {
      const stamp = secondsOf(now);
      const signature = `v1,${standardDigest(secret.reveal(), id, stamp, body)}`;
      return { "webhook-id": id, "webhook-timestamp": stamp, "webhook-signature": signature };
    },
  },
  chela: {
    check(call, { secret, toleranceSeconds }, now) {
      const why = doubtOfSignedBody(call, secret.reveal(), now, toleranceSeconds);
      return why === undefined ? { kind: "proven", stamp: call.headers["x-chela-timestamp"] ?? "" } : doubt(why);
    },
    sign: (body, { secret }, now) => ({ ...signBody(secret.reveal(), body, now) }),
  },
  generic: {
    check({ headers, body }, { secret, header = GENERIC_HEADER }) {
      const given = headers[header]?.trim().replace(/^sha256=/i, "");
      const digest = hmacSha256(secret.reveal(), body);
      // Hex digits mean the same in both cases; the other spellings do not.
      const isRight = [
        isSameText(given?.toLowerCase(), digest.toString("hex")),
        isSameText(given, digest.toString("base64")),
        isSameText(given, digest.toString("base64url")),
      ].includes(true);
      return isRight ? PROVEN : doubt(`the ${header} is missing or wrong`);
    },
    sign: (body, { secret, header = GENERIC_HEADER }) => ({
      [header]: `sha256=${hex(hmacSha256(secret.reveal(), body))}`,
    }),
  },
};

/** Secrets of this kind are bytes, written behind a prefix. */
function standardDigest(secret: string, id: string, stamp: string, body: Uint8Array): string {
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : secret;
  return hmacSha256(key, `${id}.${stamp}.`, body).toString("base64");
}

function isStamp(text: string): boolean {
  return /^\d{1,12}$/.test(text);
}

function within(what: string, stamp: string, now: number, toleranceSeconds: number): Proof {
  if (Math.abs(now / 1000 - Number(stamp)) <= toleranceSeconds) return { kind: "proven", stamp };
  return doubt(`the time in the ${what} is more than ${toleranceSeconds} seconds off`);
}
