// How each sender of webhooks signs, written down a second time from what the senders say themselves.
import { createHmac } from "node:crypto";
import type { SignatureType } from "../../../src/rooms/webhooks/mapping/mapping.ts";

export interface HookSigner {
  /** Headers of a request with this body, sent at this time. */
  sign(body: string, secret: string, at: number): Record<string, string>;
  /** Whether the time is signed, too. */
  readonly isTimed: boolean;
}

const hmac = (secret: string | Buffer, text: string, form: "hex" | "base64" = "hex"): string =>
  createHmac("sha256", secret).update(text).digest(form);
const seconds = (at: number): string => String(Math.floor(at / 1000));

/** A way to sign that is new does not compile until it is here. */
export const HOOK_SIGNERS = {
  github: { isTimed: false, sign: (body, secret) => ({ "x-hub-signature-256": `sha256=${hmac(secret, body)}` }) },
  sentry: { isTimed: false, sign: (body, secret) => ({ "sentry-hook-signature": hmac(secret, body) }) },
  stripe: {
    isTimed: true,
    sign: (body, secret, at) => ({
      "stripe-signature": `t=${seconds(at)},v1=${hmac(secret, `${seconds(at)}.${body}`)}`,
    }),
  },
  slack: {
    isTimed: true,
    sign: (body, secret, at) => ({
      "x-slack-request-timestamp": seconds(at),
      "x-slack-signature": `v0=${hmac(secret, `v0:${seconds(at)}:${body}`)}`,
    }),
  },
  standard: {
    isTimed: true,
    sign(body, secret, at) {
      const id = `msg-${hmac("", body).slice(0, 16)}`;
      const signature = `v1,${hmac(secret, `${id}.${seconds(at)}.${body}`, "base64")}`;
      return { "webhook-id": id, "webhook-timestamp": seconds(at), "webhook-signature": signature };
    },
  },
  chela: {
    isTimed: true,
    sign: (body, secret, at) => ({
      "x-chela-timestamp": seconds(at),
      "x-chela-signature": `v1=${hmac(secret, `v1:${seconds(at)}:${body}`)}`,
    }),
  },
  generic: { isTimed: false, sign: (body, secret) => ({ "x-signature": `sha256=${hmac(secret, body)}` }) },
} satisfies Record<SignatureType, HookSigner>;

/** Each header gone, empty, cut, doubled, with one sign changed at its start, in its middle and at its end. */
export function mutatedHeaders(headers: Readonly<Record<string, string>>): Record<string, string>[] {
  const all: Record<string, string>[] = [{}];
  for (const [name, value] of Object.entries(headers)) {
    const { [name]: _left, ...rest } = headers;
    const changed = [0, Math.floor(value.length / 2), value.length - 1].map((at) => withOther(value, at));
    const others = ["", " ", value.slice(0, -1), value.slice(1), `${value}0`, `0${value}`, "0".repeat(value.length)];
    all.push(rest, ...[...changed, ...others].map((other) => ({ ...rest, [name]: other })));
  }
  return all;
}

/** One byte of each kind changed, added or taken away; and the same meaning in other bytes. */
export function mutatedBodies(body: string): string[] {
  const places = [0, 1, Math.floor(body.length / 3), Math.floor(body.length / 2), body.length - 2, body.length - 1];
  return [
    ...places.map((at) => withOther(body, at)),
    `${body} `,
    ` ${body}`,
    `${body}\n`,
    `\ufeff${body}`,
    `${body}\0`,
    body.slice(0, -1),
    body.slice(1),
    body.toUpperCase(),
    JSON.stringify(JSON.parse(body), null, 1),
    body.replace("a", "\\u0061"),
    body.replace("{", '{"x":1,'),
    "",
    "{}",
    `${body}${body}`,
  ].filter((mutated) => mutated !== body);
}

function withOther(text: string, at: number): string {
  const other = text[at] === "1" ? "2" : "1";
  return text.slice(0, at) + other + text.slice(at + 1);
}
