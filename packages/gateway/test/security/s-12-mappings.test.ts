// S-12: a mapping believes what was signed for it: every byte of it, in time, once, also across a restart; and what it does
// not believe leaves no trace.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PRESETS } from "../../src/rooms/webhooks/mapping/presets.ts";
import { HOOK_SIGNERS, mutatedBodies, mutatedHeaders, type HookSigner } from "../support/security/hook-signers.ts";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countRows } from "../support/durability/ledger-rows.ts";
import { countCases } from "../support/security/security-cases.ts";

const TOKEN = "token-of-the-hooks-0123456789abcdef";
const TYPES = Object.entries(HOOK_SIGNERS) as readonly (readonly [string, HookSigner])[];
const pathOf = (type: string): string => `by-${type}`;
const secretOf = (path: string): string => `secret-of-${path}-0123456789abcdef`;
const mappingOf = (path: string, more: object) => ({
  match: { path },
  messageTemplate: "{{text}}",
  deliver: false,
  wakeMode: "next-heartbeat",
  ...more,
});
const MAPPINGS = [
  ...TYPES.map(([type]) => mappingOf(pathOf(type), { signature: { type, secret: secretOf(type) } })),
  ...TYPES.map(([type]) => mappingOf(`bare-${type}`, { signature: { type } })),
  ...TYPES.map(([type]) => mappingOf(`blank-${type}`, { signature: { type, secret: "  " } })),
  mappingOf("typeless", { signature: { secret: secretOf("typeless") } }),
  mappingOf("by-token", {}),
];

let gateway: TestGateway;
let cases = 0;
const state = createStateDirectory({
  hooks: { enabled: true, token: TOKEN, mappings: MAPPINGS, presets: Object.keys(PRESETS) },
});
const open = () => startTestGateway({ stateDir: state.path });
beforeAll(async () => void (gateway = await open()));
afterAll(async () => {
  countCases("S-12", cases);
  await gateway[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

const knock = async (path: string, body: string, headers: Readonly<Record<string, string>>) => {
  cases += 1;
  const init = { method: "POST", token: null, body, headers: { "content-type": "application/json", ...headers } };
  const response = await gateway.fetch(`/hooks/${path}`, init);
  return { status: response.status, text: await response.text() };
};
/** Nobody gets more than a few guesses a minute; whatever is refused by then is refused. */
const REFUSED = [401, 429];
/** An id of its own, as senders give their events. */
const bodyOf = (words: string): string => JSON.stringify({ id: words, event_id: words, text: `a ${words}` });
const golden: { path: string; body: string; headers: Record<string, string> }[] = [];

const SIGNED_PRESETS = Object.entries(PRESETS).filter(([, { signature }]) => signature);

test.each(SIGNED_PRESETS)("S-12: the preset %s is not there without its secret", async (_name, { path }) => {
  const body = bodyOf("forged-preset");
  for (const [, { sign }] of TYPES) {
    const headers = { authorization: `Bearer ${TOKEN}`, ...sign(body, "guess", Date.now()) };
    expect((await knock(path, body, headers)).status).toBe(404);
  }
});

const told: unknown[] = [];

/** Everything that was taken has come to its end. */
async function settled(): Promise<void> {
  const client = await gateway.connect();
  await eventually("all is settled", async () => {
    const { webhooks } = await client.call("webhooks.list");
    const open = (webhooks as { last?: { state: string } }[]).filter(({ last }) => last && last.state !== "settled");
    return open.length === 0 || undefined;
  });
  await client.close();
  told.push(...gateway.model.requests);
}

describe.each(TYPES)("S-12: a mapping signed by %s", (type, { sign, isTimed }) => {
  const signed = (words: string, at = Date.now(), secret = secretOf(type)) => {
    const body = bodyOf(words);
    return { path: pathOf(type), body, headers: sign(body, secret, at) };
  };

  test("takes what is signed", async () => {
    const { path, body, headers } = signed(`golden-${type}`);
    golden.push({ path, body, headers });
    const { status } = await knock(path, body, headers);
    expect(status).toBe(200);
    await eventually(
      "it is told",
      () => JSON.stringify(gateway.model.requests).includes(`golden-${type}`) || undefined,
    );
  });

  test("takes nothing else, and keeps nothing of it", async () => {
    await settled();
    const before = countRows(state.path);
    const { path, body, headers } = signed(`forged-${type}`);
    const wrong: unknown[] = [];
    const refuse = async (what: string, sent: { path: string; body: string; headers: Record<string, string> }) => {
      const { status } = await knock(sent.path, sent.body, sent.headers);
      if (!REFUSED.includes(status)) wrong.push({ what, status, ...sent });
    };
    for (const mutated of mutatedHeaders(headers)) await refuse("headers", { path, body, headers: mutated });
    for (const mutated of mutatedBodies(body)) await refuse("body", { path, body: mutated, headers });
    for (const [other] of TYPES.filter(([name]) => name !== type)) {
      await refuse("another's secret", signed("forged-crossed", Date.now(), secretOf(other)));
      await refuse("another's path", { ...signed("forged-crossed"), path: pathOf(other) });
    }
    await refuse("the token", { path, body, headers: { authorization: `Bearer ${TOKEN}` } });
    await refuse("the gateway's token", { path, body, headers: { authorization: `Bearer ${gateway.token}` } });
    for (const own of ["agent", "wake", "by-token"])
      await refuse("a signature for the token", { path: own, body, headers });
    if (isTimed)
      for (const minutes of [-6, 6, -60 * 24, 60 * 24 * 365])
        await refuse("the time", signed(`forged-${type}`, Date.now() + minutes * 60_000));
    expect(wrong).toEqual([]);
    expect(countRows(state.path)).toEqual(before);
  });

  test("takes it once, whatever unsigned header changes", async () => {
    const { path, body, headers } = signed(`twice-${type}`);
    const answers: unknown[] = [];
    for (const more of [{}, { "idempotency-key": "1" }, { "x-github-delivery": "2", "user-agent": "x" }])
      answers.push(JSON.parse((await knock(path, body, { ...headers, ...more })).text));
    expect(answers).toMatchObject([{ ok: true }, { duplicate: true }, { duplicate: true }]);
    expect(answers[0]).not.toHaveProperty("duplicate");
  });

  test.each([`bare-${type}`, `blank-${type}`])("%s is not there", async (path) => {
    const body = bodyOf("forged-bare");
    for (const secret of ["", "  ", "undefined", secretOf(path)]) {
      const { status } = await knock(path, body, sign(body, secret, Date.now()));
      expect([401, 404, 429]).toContain(status);
    }
  });
});

test("S-12: what was taken before a restart is known after it", async () => {
  await settled();
  await gateway[Symbol.asyncDispose]();
  gateway = await open();
  const before = countRows(state.path);
  expect(golden).toHaveLength(TYPES.length);
  for (const { path, body, headers } of golden) {
    expect([path, JSON.parse((await knock(path, body, headers)).text)]).toMatchObject([path, { duplicate: true }]);
  }
  expect(countRows(state.path)).toEqual(before);
  expect(gateway.model.requests).toEqual([]);
});

test("S-12: no model was told of what was not believed, and no log has a secret", () => {
  expect(JSON.stringify(told)).not.toContain("forged");
  for (const [type] of TYPES) expect(gateway.readLog()).not.toContain(secretOf(type));
});
