// Requests to webhooks: their signatures, their bodies, and what mappings and presets make of them.
import { mapping, openHooks, SCHEMES } from "./hook-world.ts";
import { hashOf } from "../random.ts";
import { promise, splitParts, joinParts, type Target } from "../target.ts";
import { SAMPLES } from "../../packages/gateway/src/rooms/webhooks/mapping/samples.ts";
import { parseOr } from "./json-text.ts";

const bodies = (): string[] => [
  ...Object.values(SAMPLES).map(({ payload }) => JSON.stringify(payload)),
  '{"text":"A test","source":"test","sessionKey":"agent:second:main","idempotencyKey":"k","deliver":true}',
  '{"message":"m","name":"n","agentId":"second","wakeMode":"now","model":"a/b","thinking":"high","timeoutSeconds":5}',
  '{"type":"url_verification","challenge":"c"}',
];

const webhookBodies: Target = {
  name: "webhook-bodies",
  promises:
    "A body that its sender signed or sent with the token is accepted or refused with a reason, never answered with a failure of ours; a text from outside stays marked as one, and no request chooses another agent's conversation.",
  kind: "json",
  seeds: bodies,
  words: [
    "text",
    "message",
    "sessionKey",
    "agentId",
    "channel",
    "to",
    "{{payload}}",
    "agent:second:main",
    "hook:x",
    "wake",
  ],
  open() {
    const world = openHooks();
    return {
      async run(input) {
        const choice = hashOf(input);
        const scheme = SCHEMES[choice % SCHEMES.length] ?? "token";
        const type = ["application/json", "application/x-www-form-urlencoded", "text/plain"][choice % 3] ?? "";
        const { status, body } = await world.postSigned(scheme, input, type);
        promise(status < 500, () => `${scheme}: it was answered ${status} ${body}`);
        promise(
          status === 204 || status === 200 || parseOr(body) !== undefined || status === 404,
          "an answer is no JSON",
        );
        for (const { text, sessionKey } of world.takeErrands()) {
          promise(text.includes("<<<EXTERNAL_UNTRUSTED_CONTENT"), "a text from outside is not marked as one");
          promise(
            sessionKey.startsWith("agent:main:") || sessionKey.startsWith("agent:second:"),
            `it is for ${sessionKey}`,
          );
          promise(sessionKey !== "agent:second:main", "a request chose another agent's conversation");
        }
      },
      close: () => world.close(),
    };
  },
};

const webhookSignatures: Target = {
  name: "webhook-signatures",
  promises: "Headers that were not made with the secret prove nothing, however they look.",
  kind: "text",
  seeds: () => SCHEMES.map((scheme) => joinParts(scheme, headersOf(scheme), '{"text":"x"}')),
  words: ["t=", "v1=", "v0=", ",", "=", "sha256=", "v1,", " ", "\n", "1780315200", "Bearer ", "whsec_", "0".repeat(64)],
  maxLength: 2000,
  open() {
    const world = openHooks();
    return {
      async run(input) {
        const [scheme, written, body] = splitParts(input, 3);
        const headers = readHeaders(written);
        const { status } = await world.post(mapping(scheme), body, headers);
        promise(world.takeErrands().length === 0 && status >= 400, `an unsigned request was answered ${status}`);
      },
      close: () => world.close(),
    };
  },
};

const STAMP = "1780315200";
const HEADERS: Readonly<Record<string, string>> = {
  github: `x-hub-signature-256: sha256=${"0".repeat(64)}`,
  sentry: `sentry-hook-signature: ${"0".repeat(64)}`,
  stripe: `stripe-signature: t=${STAMP},v1=${"0".repeat(64)},v0=${"1".repeat(64)}`,
  slack: `x-slack-request-timestamp: ${STAMP}\nx-slack-signature: v0=${"0".repeat(64)}`,
  standard: `webhook-id: 1\nwebhook-timestamp: ${STAMP}\nwebhook-signature: v1,AAAA v1,BBBB`,
  chela: `x-chela-timestamp: ${STAMP}\nx-chela-signature: v1=${"0".repeat(64)}`,
  generic: `x-signature: sha256=${"0".repeat(64)}`,
  token: "authorization: Bearer wrong",
};

function headersOf(scheme: string): string {
  return HEADERS[scheme] ?? "";
}

function readHeaders(written: string): Record<string, string> {
  const lines = written.split("\n").flatMap((line) => {
    const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const];
  });
  return Object.fromEntries(lines);
}

export const webhooks: readonly Target[] = [webhookBodies, webhookSignatures];
