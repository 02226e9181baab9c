// What a killed process left undone, in a gateway whose configuration is another one by now.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Change, Errand, ErrandRecord } from "@chela/sdk";
import { createFakeChannel } from "@chela/sdk/testing";
import { openDatabase, SqliteLedger } from "../../src/rooms/ledger/room.ts";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

const RUN = "hook:agent:left";
const FAKE = { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"] } };

function errandOf(agentId: string, more: Partial<Errand> = {}): Errand {
  const work = { action: "agent", name: "Hook", text: "go", isTrusted: false, wakeMode: "next-heartbeat" };
  const sessionKey = `agent:${agentId}:hook:left`;
  const at = Date.now();
  return { runId: RUN, kind: "hook", owner: "agent", agentId, sessionKey, dueAt: at, createdAt: at, work, ...more };
}

/** Opens the ledger beside any gateway: before the first start, or after the last stop. */
async function withLedger<T>(stateDir: string, use: (ledger: SqliteLedger) => Promise<T>): Promise<T> {
  const ledger = new SqliteLedger(openDatabase(join(stateDir, "ledger.sqlite")));
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

/** The errand as it is once a gateway went on with it. */
async function goOnWith(stateDir: string, channels: Parameters<typeof startTestGateway>[0] = {}) {
  const asked: number[] = [];
  {
    await using gateway = await startTestGateway({ stateDir, ...channels });
    const client = await gateway.connect();
    await eventually("it is settled", async () => {
      const { webhooks } = await client.call("webhooks.list");
      return webhooks.some(({ last }: Json) => (last as Json | undefined)?.["state"] === "settled") || undefined;
    });
    asked.push(gateway.model.requests.length);
  }
  const errand = await withLedger(stateDir, (ledger) => ledger.errand(RUN));
  return { errand: errand as ErrandRecord, requests: asked[0] };
}

test("a turn of an agent that is gone is not carried out with anybody else's rights", async () => {
  using state = createStateDirectory();
  await withLedger(state.path, async (ledger) => {
    const errand = errandOf("gone");
    const { agentId, sessionKey, createdAt: admittedAt } = errand;
    const address = { runId: RUN, channel: "hook", account: "default", messageId: RUN, agentId, sessionKey };
    await ledger.admit({ ...address, body: { text: "go" }, admittedAt });
    await ledger.commit([
      { kind: "errand-add", errand },
      { kind: "errand-state", runId: RUN, state: "running", at: admittedAt },
    ]);
  });
  const { errand, requests } = await goOnWith(state.path);
  expect(errand.outcome).toMatchObject({
    status: "error",
    error: 'The agent "gone" is not configured any more, so nobody can do this.',
  });
  expect(requests).toBe(0);
  const run = await withLedger(state.path, (ledger) => ledger.run(RUN));
  expect(run).toMatchObject({ state: "done", outcome: { status: "aborted" } });
});

const CARRIED_OUT: Change = {
  kind: "errand-state",
  runId: RUN,
  state: "executed",
  at: 1,
  outcome: { status: "ok", texts: ["the result"] },
};
const TO_ALICE = { mode: "chat", channel: "fake", account: "default", to: "alice" } as const;

test("a result whose channel is gone is a failure that says so", async () => {
  using state = createStateDirectory();
  const errand = errandOf("main", { delivery: TO_ALICE });
  await withLedger(state.path, (ledger) => ledger.commit([{ kind: "errand-add", errand }, CARRIED_OUT]));
  const end = await goOnWith(state.path);
  expect(end.errand.delivered).toMatchObject({ status: "not-delivered", error: expect.stringContaining("channel") });
  expect(end.requests).toBe(0);
});

test("a result whose channel is there arrives once", async () => {
  using state = createStateDirectory({ channels: FAKE });
  const errand = errandOf("main", { delivery: TO_ALICE });
  await withLedger(state.path, (ledger) => ledger.commit([{ kind: "errand-add", errand }, CARRIED_OUT]));
  const fake = createFakeChannel();
  const end = await goOnWith(state.path, { channels: { fake: fake.channel } });
  expect(end.errand.delivered).toMatchObject({ status: "delivered" });
  expect(fake.sent.map(({ text }) => text)).toEqual(["the result"]);
});

test("BOOT.md that an earlier process could not finish is not done twice", async () => {
  const entries = { "boot-md": { enabled: true } };
  using state = createStateDirectory({ hooks: { internal: { enabled: true, entries } } });
  const [agentId, sessionKey] = ["main", "agent:main:boot"];
  mkdirSync(join(state.path, "workspace"), { recursive: true });
  writeFileSync(join(state.path, "workspace", "BOOT.md"), "Say hello.");
  await withLedger(state.path, async (ledger) => {
    const address = { runId: "boot:main:1", channel: "internal", account: "default", messageId: "boot:main:1" };
    await ledger.admit({ ...address, agentId, sessionKey, body: { text: "Say hello." }, admittedAt: 1 });
  });
  // Whoever stops it waits until its hooks were told of the start.
  await (await startTestGateway({ stateDir: state.path }))[Symbol.asyncDispose]();
  const runs = await withLedger(state.path, (ledger) => ledger.runs({ sessionKey, limit: 10 }));
  expect(runs.map(({ runId }) => runId)).toEqual(["boot:main:1"]);
});
