// Signed requests: believed unchanged, fresh and for their own mapping; by nothing else. The digests are made here by the senders' documents.
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { SignatureType } from "./mapping/mapping.ts";
import { AT, openWorld, TOKEN, type Sent } from "./webhook-world.test-support.ts";

const SECRET = "a-secret-between-two";
const hmac = (key: string | Buffer, text: string, as: "hex" | "base64" = "hex"): string =>
  createHmac("sha256", key).update(text, "utf8").digest(as);
const seconds = (at: number): string => String(Math.floor(at / 1000));

interface Sender {
  readonly type: SignatureType;
  readonly secret: string;
  sign(body: string, secret: string, at: number): Record<string, string>;
  readonly signsTime: boolean;
}

const SENDERS: readonly Sender[] = [
  {
    type: "github",
    secret: SECRET,
    sign: (body, secret) => ({ "x-hub-signature-256": `sha256=${hmac(secret, body)}` }),
    signsTime: false,
  },
  {
    type: "stripe",
    secret: "whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH",
    sign: (body, secret, at) => ({
      "stripe-signature": `t=${seconds(at)},v1=${hmac(secret, `${seconds(at)}.${body}`)},v0=${"6".repeat(64)}`,
    }),
    signsTime: true,
  },
  {
    type: "slack",
    secret: "8f742231b10e8888abcd99yyyzzz85a5",
    sign: (body, secret, at) => ({
      "x-slack-request-timestamp": seconds(at),
      "x-slack-signature": `v0=${hmac(secret, `v0:${seconds(at)}:${body}`)}`,
    }),
    signsTime: true,
  },
  {
    type: "sentry",
    secret: SECRET,
    sign: (body, secret) => ({ "sentry-hook-signature": hmac(secret, body) }),
    signsTime: false,
  },
  {
    type: "standard",
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    sign: (body, secret, at) => ({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": seconds(at),
      "webhook-signature": `v1,${hmac(
        Buffer.from(secret.replace("whsec_", ""), "base64"),
        `msg_p5jXN8AQM9LWM0D4loKWxJek.${seconds(at)}.${body}`,
        "base64",
      )}`,
    }),
    signsTime: true,
  },
  {
    type: "chela",
    secret: SECRET,
    sign: (body, secret, at) => ({
      "x-chela-timestamp": seconds(at),
      "x-chela-signature": `v1=${hmac(secret, `v1:${seconds(at)}:${body}`)}`,
    }),
    signsTime: true,
  },
  {
    type: "generic",
    secret: SECRET,
    sign: (body, secret) => ({ "x-signature": hmac(secret, body) }),
    signsTime: false,
  },
];

const BODY = JSON.stringify({ id: "evt_1", text: "héllo" });
const open = (type: SignatureType, secret: string) =>
  openWorld({
    mappings: [
      { match: { path: "signed" }, messageTemplate: "{{text}}", signature: { type, secret } },
      {
        match: { path: "twin" },
        messageTemplate: "{{text}}",
        signature: { type, secret: `another-${SECRET}-0123456789` },
      },
    ],
  });

describe.each(SENDERS)("signed the way of $type", ({ type, secret, sign, signsTime }) => {
  const good = (): Sent => ({ body: BODY, headers: sign(BODY, secret, AT) });

  it("is believed, and known when it comes again", async () => {
    using world = open(type, secret);
    const first = await world.post("signed", good());
    expect(first.status).toBe(200);
    const again = await world.post("signed", good());
    expect(JSON.parse(again.body)).toEqual({ ...JSON.parse(first.body), duplicate: true });
    expect(world.errands).toHaveLength(1);
  });

  it("is not believed when a byte, the secret or the mapping is another", async () => {
    using world = open(type, secret);
    const headers = sign(BODY, secret, AT);
    const last = Object.keys(headers).at(-1) ?? "";
    const value = headers[last] ?? "";
    const bad: Array<[string, Sent]> = [
      ["signed", { body: BODY.replace("evt_1", "evt_2"), headers }],
      ["signed", { body: `${BODY} `, headers }],
      ["signed", { body: BODY, headers: sign(BODY, `wrong-${secret}`, AT) }],
      ["signed", { body: BODY, headers: sign(BODY, "", AT) }],
      ["signed", { body: BODY, headers: {} }],
      ["signed", { body: BODY, headers: { ...headers, [last]: "" } }],
      [
        "signed",
        {
          body: BODY,
          headers: { ...headers, [last]: value.replace(/[0-9a-f]/, (digit) => (digit === "0" ? "1" : "0")) },
        },
      ],
      ["signed", { body: BODY, headers: { authorization: `Bearer ${TOKEN}` } }],
      ["twin", { body: BODY, headers }],
    ];
    for (const [path, sent] of bad) expect([sent, (await world.post(path, sent)).status]).toEqual([sent, 401]);
    expect(world.errands).toEqual([]);
    expect(world.guesses).toEqual(bad.map(() => "wrong"));
    expect(world.log.join()).not.toContain(secret);
  });

  it.runIf(signsTime)("is not believed when it is old, or from the future", async () => {
    using world = open(type, secret);
    for (const minutes of [-6, 6, -60 * 24]) {
      const headers = sign(BODY, secret, AT + minutes * 60_000);
      expect([minutes, (await world.post("signed", { body: BODY, headers })).status]).toEqual([minutes, 401]);
    }
    const headers = sign(BODY, secret, AT - 4 * 60_000);
    expect((await world.post("signed", { body: BODY, headers })).status).toBe(200);
  });

  it("is believed even if somebody else guessed too often from the same address", async () => {
    using world = open(type, secret);
    expect((await world.post("signed", { ...good(), isLimited: true })).status).toBe(200);
    const limited = await world.post("signed", { body: BODY, isLimited: true });
    expect([limited.status, limited.headers]).toEqual([429, { "retry-after": "2" }]);
  });

  it.each(["", "   ", undefined])("is not there without a secret (%j)", async (none) => {
    using world = openWorld({
      mappings: [{ match: { path: "signed" }, messageTemplate: "x", signature: { type, secret: none } }],
    });
    expect(
      (await world.post("signed", { ...good(), headers: { ...good().headers, authorization: `Bearer ${TOKEN}` } }))
        .status,
    ).toBe(404);
    const { webhooks } = await world.webhooks.list();
    expect(webhooks.find(({ path }) => path === "signed")?.absent).toContain("signature.secret");
  });
});

describe("a signature", () => {
  it.each([
    ["hex behind sha256=", (digest: Buffer) => `sha256=${digest.toString("hex")}`],
    ["hex in capitals", (digest: Buffer) => digest.toString("hex").toUpperCase()],
    ["base64", (digest: Buffer) => digest.toString("base64")],
    ["base64url", (digest: Buffer) => digest.toString("base64url")],
  ])("of no known kind may be %s, in a header that is named", async (_how, write) => {
    const signature = { type: "generic" as const, secret: SECRET, header: "X-Shop-Hmac" };
    using world = openWorld({ mappings: [{ match: { path: "shop" }, messageTemplate: "x", signature }] });
    const headers = { "x-shop-hmac": write(createHmac("sha256", SECRET).update(BODY).digest()) };
    expect((await world.post("shop", { body: BODY, headers })).status).toBe(200);
    expect((await world.post("shop", { body: BODY, headers: { "x-signature": headers["x-shop-hmac"] } })).status).toBe(
      401,
    );
  });

  it("that says whsec_ and nothing behind it opens nothing", async () => {
    const signature = { type: "standard" as const, secret: "whsec_" };
    using world = openWorld({ mappings: [{ match: { path: "s" }, messageTemplate: "x", signature }] });
    const headers = {
      "webhook-id": "m",
      "webhook-timestamp": seconds(AT),
      "webhook-signature": `v1,${hmac("", `m.${seconds(AT)}.{}`, "base64")}`,
    };
    expect((await world.post("s", { headers: { ...headers, authorization: `Bearer ${TOKEN}` } })).status).toBe(404);
  });

  it("is known again by what was signed, not by headers that anybody can change", async () => {
    using world = open("github", SECRET);
    const headers = { "x-hub-signature-256": `sha256=${hmac(SECRET, BODY)}` };
    for (const delivery of ["a", "b"]) {
      await world.post("signed", {
        body: BODY,
        headers: { ...headers, "x-github-delivery": delivery, "idempotency-key": delivery },
      });
    }
    expect(world.errands).toHaveLength(1);
  });

  it("lets its sender make sure that somebody is there", async () => {
    using world = openWorld({
      mappings: [
        { match: { path: "gh" }, messageTemplate: "x", signature: { type: "github", secret: SECRET } },
        { match: { path: "sl" }, messageTemplate: "x", signature: { type: "slack", secret: SECRET } },
      ],
    });
    const ping = { "x-github-event": "ping", "x-hub-signature-256": `sha256=${hmac(SECRET, "{}")}` };
    expect((await world.post("gh", { headers: ping })).status).toBe(200);
    const body = JSON.stringify({ type: "url_verification", challenge: "3eZb" });
    const stamp = seconds(AT);
    const headers = {
      "x-slack-request-timestamp": stamp,
      "x-slack-signature": `v0=${hmac(SECRET, `v0:${stamp}:${body}`)}`,
    };
    expect(await world.post("sl", { body, headers })).toMatchObject({ status: 200, body: "3eZb" });
    expect(world.errands).toEqual([]);
  });
});
