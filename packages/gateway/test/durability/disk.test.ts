// A full or read-only disk, no descriptor left: a clear sentence, nothing that was accepted is lost, and work goes on by itself afterwards.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "@chela/sdk/base";
import { tryLock } from "../../src/base/locks/lock-file.ts";
import {
  canFreeze,
  canLimitDescriptors,
  canMount,
  freezeDirectory,
  mountSmallDisk,
  takeDescriptors,
} from "../support/durability/durability-disk.ts";
import { findLedgerFaults, findMirrorFaults } from "../support/durability/durability-evidence.ts";
import { answerText, questionText, startModelServer } from "../support/durability/durability-model.ts";
import {
  createWorkshop,
  eventually,
  type GatewayProcess,
  type StateDirectory,
} from "../support/durability/durability-workshop.ts";
import { ON_DISK } from "../support/durability/on-disk.ts";
import type { WireClient } from "../support/wire-client.ts";

const model = await startModelServer();
// Files in memory can be written by whoever has them open, though they are frozen.
const workshop = createWorkshop(() => model.baseUrl, { place: ON_DISK });
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

const SESSION = "agent:main:main";

function ask(client: WireClient, name: string, tools = 0) {
  const params = { sessionKey: SESSION, message: questionText(name, tools), idempotencyKey: name };
  const response = client.request("agent", params);
  // Looked at later, or never when the test has already failed.
  response.catch(() => undefined);
  return response;
}

/** Asks until the gateway refuses; gives the questions it took and the refusal. */
async function askUntilRefused(client: WireClient) {
  const accepted: string[] = [];
  for (let index = 0; ; index++) {
    const name = `q-tight-${index}`;
    const params = { sessionKey: SESSION, message: questionText(name), idempotencyKey: name };
    const { ok, error } = await client.request("chat.send", params);
    if (!ok) return { accepted, refused: name, error };
    accepted.push(name);
    if (index === 500) throw new Error("a full disk refused nothing");
  }
}

async function expectAllAnswered(state: StateDirectory, questions: readonly string[]): Promise<void> {
  let faults: string[] = [];
  const expected = new Map([[SESSION, new Set(questions)]]);
  await eventually(
    "all is answered and mirrored",
    () => {
      faults = [...findLedgerFaults(state.ledgerPath), ...findMirrorFaults(state.path, expected)];
      return faults.length === 0;
    },
    () => faults.join("\n"),
  );
}

const outputSays = (gateway: GatewayProcess, pattern: RegExp): Promise<boolean> =>
  eventually(
    `the gateway says ${pattern}`,
    () => pattern.test(gateway.output),
    () => gateway.output,
  );

describe.skipIf(!canMount())("a disk that is full", () => {
  test("refuses new messages with a sentence; what was accepted is answered once there is room", async () => {
    using disk = mountSmallDisk(join(workshop.directory, "full"), 6);
    const state = await workshop.createState({ inside: disk.path });
    const gateway = workshop.start(state);
    const client = await gateway.connect();
    expect((await ask(client, "q-before")).ok).toBe(true);
    const held = model.hold("q-running");
    const running = ask(client, "q-running", 1);
    await held.reached;

    disk.fill();
    const { accepted, refused, error } = await askUntilRefused(client);
    expect(error).toMatchObject({ code: "UNAVAILABLE", retryable: true, details: { code: "STORE_FULL" } });
    expect(error?.message).toMatch(/disk is full/);
    held.release();
    await outputSays(gateway, /disk is full/i);
    // What is known can still be read.
    const { messages } = await client.call("chat.history", { sessionKey: SESSION });
    expect(JSON.stringify(messages)).toContain(answerText("q-before"));

    disk.free();
    expect((await running).payload.result.payloads.at(-1).text).toBe(answerText("q-running"));
    expect((await ask(client, refused)).ok).toBe(true);
    await expectAllAnswered(state, ["q-before", "q-running", refused, ...accepted]);
    expect(await gateway.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  test("leaves no lock that nobody holds", () => {
    using disk = mountSmallDisk(join(workshop.directory, "full-lock"), 6);
    const path = join(disk.path, "sessions.json");
    disk.fill();
    expect(() => tryLock(`${path}.lock`, systemClock)).toThrow("ENOSPC");
    expect(existsSync(`${path}.lock`)).toBe(false);
    disk.free();
    expect(tryLock(`${path}.lock`, systemClock)).toBeTypeOf("function");
  });

  test("does not keep the gateway from stopping, and the next start finishes what was begun", async () => {
    using disk = mountSmallDisk(join(workshop.directory, "full-stop"), 6);
    const state = await workshop.createState({ inside: disk.path });
    const gateway = workshop.start(state);
    const client = await gateway.connect();
    await ask(client, "q-before");
    disk.fill();
    const { accepted } = await askUntilRefused(client);
    gateway.child.kill("SIGTERM");
    await client.untilEvent("shutdown");
    await gateway.kill("SIGTERM");

    const blocked = workshop.start(state);
    expect((await blocked.ended).code).toBe(1);
    expect(blocked.output).toMatch(/state directory cannot be used.*ENOSPC|disk is full/i);

    disk.free();
    await workshop.start(state).connect();
    await expectAllAnswered(state, ["q-before", ...accepted]);
  });
});

describe.skipIf(!canLimitDescriptors())("a process without a free descriptor", () => {
  test("ends by nothing, loses nothing, and loads what it could not load once it can", async () => {
    const state = await workshop.createState();
    const gateway = workshop.start(state);
    const client = await gateway.connect();
    const accepted: string[] = [];
    {
      // Before the first turn: nothing of what turns need is loaded.
      using _limit = takeDescriptors(gateway.pid);
      for (const name of ["q-none-1", "q-none-2"]) if ((await ask(client, name)).ok) accepted.push(name);
    }
    expect((await ask(client, "q-after", 1)).ok).toBe(true);
    {
      using _limit = takeDescriptors(gateway.pid);
      if ((await ask(client, "q-none-3", 1)).ok) accepted.push("q-none-3");
    }
    expect((await ask(await gateway.connect(), "q-end", 1)).ok).toBe(true);
    const { messages } = await client.call("chat.history", { sessionKey: SESSION });
    for (const name of ["q-after", "q-end"]) expect(JSON.stringify(messages)).toContain(answerText(name));
    for (const name of accepted) expect(JSON.stringify(messages)).toContain(`Question ${name}`);
    await eventually(
      "all is delivered",
      () => findLedgerFaults(state.ledgerPath).length === 0,
      () => findLedgerFaults(state.ledgerPath).join("\n"),
    );
    expect(await gateway.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });
});

describe.skipIf(!canMount())("a disk that can only be read", () => {
  test("stops the start with a sentence", async () => {
    using disk = mountSmallDisk(join(workshop.directory, "readonly"), 6);
    const state = await workshop.createState({ inside: disk.path });
    const first = workshop.start(state);
    await ask(await first.connect(), "q-before");
    await first.kill();
    disk.makeReadOnly();
    const gateway = workshop.start(state);
    expect((await gateway.ended).code).toBe(1);
    expect(gateway.output).toMatch(/state directory cannot be used|ledger cannot be written/);
    expect(gateway.output).toContain(state.path);
    disk.makeWritable();
    await workshop.start(state).connect();
    await expectAllAnswered(state, ["q-before"]);
  });
});

describe.skipIf(!canFreeze())("a state directory that becomes unwritable while the gateway runs", () => {
  test("refuses new messages with a sentence and goes on once it can be written again", async () => {
    const state = await workshop.createState();
    const gateway = workshop.start(state);
    const client = await gateway.connect();
    await ask(client, "q-before");
    const held = model.hold("q-running");
    const running = ask(client, "q-running");
    await held.reached;
    using frozen = freezeDirectory(state.path);
    const { ok, error } = await ask(client, "q-refused");
    expect({ ok, code: error?.code }).toEqual({ ok: false, code: "UNAVAILABLE" });
    expect(error?.message).toMatch(/ledger cannot be written/);
    expect(error?.details).toMatchObject({ code: "STORE_READONLY" });
    held.release();
    await outputSays(gateway, /ledger cannot be written/);
    // It is whole, and can only not be written down.
    await client.until("the model has answered", () =>
      client.eventsOf("agent", "q-running").find(({ payload }) => payload.data?.text === answerText("q-running")),
    );
    frozen.thaw();
    expect((await running).ok).toBe(true);
    expect((await ask(client, "q-refused")).ok).toBe(true);
    await expectAllAnswered(state, ["q-before", "q-running", "q-refused"]);
    expect(await gateway.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  test("does not keep the gateway from stopping", async () => {
    const state = await workshop.createState();
    const gateway = workshop.start(state);
    const client = await gateway.connect();
    await ask(client, "q-before");
    using frozen = freezeDirectory(state.path);
    gateway.child.kill("SIGTERM");
    expect(await client.closed).toEqual({ code: 1012, reason: "service restart" });
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    frozen.thaw();
    await workshop.start(state).connect();
    await expectAllAnswered(state, ["q-before"]);
  });
});
