// A session that is deleted takes what it taught along: out of facts, searches, prompts and the file, whatever happens meanwhile.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "@chela/sdk";
import { say } from "@chela/sdk/testing";
import { systemClock } from "@chela/sdk/base";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { endKeepers, found, indexPath, remembering, untilStatus, WORDS_ALONE } from "../support/stages/memory-stage.ts";
import type { WireClient } from "../support/wire-client.ts";

const SECOND = "agent:main:second";
/** Waits until it is quiet, for which twenty seconds are enough, are short. */
const HURRIED: Clock = { ...systemClock, after: (ms, task) => systemClock.after(ms === 20_000 ? 10 : ms, task) };

let state: ReturnType<typeof createStateDirectory>;
let gateway: TestGateway;
let client: WireClient;
beforeEach(async () => {
  state = createStateDirectory(remembering({ ...WORDS_ALONE, sources: ["memory", "sessions"] }));
  await start();
  await tell("My sister is called Marta. I prefer oolong tea.");
  await tell("My neighbour is called Bruno. He lends me his ladder.", SECOND);
  expect(await knows("Marta")).toEqual(EVERYWHERE);
  expect(await knows("Bruno")).toEqual(EVERYWHERE);
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

async function start(more: { clock?: Clock } = {}): Promise<void> {
  gateway = await startTestGateway({ stateDir: state.path, ...more });
  client = await gateway.connect();
}
async function restart(isOn: boolean, more: { clock?: Clock } = {}): Promise<void> {
  await gateway[Symbol.asyncDispose]();
  const config = JSON.parse(readFileSync(gateway.configPath, "utf8"));
  config.agents.defaults.memorySearch.enabled = isOn;
  writeFileSync(gateway.configPath, JSON.stringify(config));
  await start(more);
}
async function tell(text: string, sessionKey = "agent:main:main"): Promise<void> {
  gateway.model.script(say("Noted."));
  await client.agent(text, { sessionKey });
}
const deleteSecond = () => client.call("sessions.delete", { key: SECOND });

interface Known {
  readonly prompt: boolean;
  readonly facts: boolean;
  readonly found: boolean;
}
const EVERYWHERE: Known = { prompt: true, facts: true, found: true };
const NOWHERE: Known = { prompt: false, facts: false, found: false };

let conversations = 0;
async function isInPrompt(word: string, sessionKey?: string): Promise<boolean> {
  await client.agent("hello", { sessionKey: sessionKey ?? `agent:main:look-${(conversations += 1)}` });
  return gateway.model.requests.at(-1)?.system.includes(word) ?? false;
}
/** The prompt first: nobody has asked memory since whatever happened before. */
async function knows(word: string): Promise<Known> {
  const before = await isInPrompt(word);
  const { facts } = await client.call("memory.facts", { limit: 200 });
  const hits = await found(client, `what about ${word}`, { minScore: 0, maxResults: 20 });
  return {
    prompt: before || (await isInPrompt(word)),
    facts: JSON.stringify(facts).includes(word),
    found: JSON.stringify(hits).includes(word),
  };
}
const learnedAll = () =>
  untilStatus(client, "everything is learned again", ({ learned }) => {
    const { seq, of, facts } = learned as { seq: number; of: number; facts: number };
    return seq === of && facts > 0;
  });
const onDisk = (): string =>
  readdirSync(dirname(indexPath(state.path)))
    .map((name) => readFileSync(join(dirname(indexPath(state.path)), name), "latin1"))
    .join("\n");

describe("a deleted session", () => {
  it("is gone from facts, searches and prompts, and comes back by no rebuild, restart or new index", async () => {
    await deleteSecond();
    const look = async (when: string) =>
      expect([when, await knows("Bruno"), await knows("Marta")]).toEqual([when, NOWHERE, EVERYWHERE]);
    await look("at once");
    await client.call("memory.rebuild", {});
    await learnedAll();
    await look("after a rebuild");
    await gateway[Symbol.asyncDispose]();
    rmSync(dirname(indexPath(state.path)), { recursive: true });
    await start();
    await look("in a new index");
  });

  it("is told to no prompt that is warm", async () => {
    expect(await isInPrompt("Bruno", "agent:main:warm")).toBe(true);
    await deleteSecond();
    expect(await isInPrompt("Bruno", "agent:main:warm")).toBe(false);
  });

  it("takes along what was said in it before it was started anew", async () => {
    await client.call("sessions.reset", { key: SECOND });
    expect(await knows("Bruno")).toEqual(EVERYWHERE);
    await tell("I like cinnamon.", SECOND);
    await deleteSecond();
    expect(await knows("Bruno")).toEqual(NOWHERE);
    expect(await knows("cinnamon")).toEqual(NOWHERE);
  });

  it("does not keep the next one of the same name from teaching", async () => {
    await deleteSecond();
    await tell("My neighbour is called Bruno.", SECOND);
    expect(await knows("Bruno")).toEqual(EVERYWHERE);
    expect(JSON.stringify(await found(client, "ladder", { minScore: 0 }))).not.toContain("ladder");
  });

  it("is known again when it is restored", async () => {
    await deleteSecond();
    expect(await knows("Bruno")).toEqual(NOWHERE);
    const { sessions } = await client.call("sessions.deleted", { key: SECOND });
    await client.call("sessions.restore", { id: sessions[0].id });
    await client.call("memory.facts", {});
    await learnedAll();
    expect([await knows("Bruno"), await knows("Marta")]).toEqual([EVERYWHERE, EVERYWHERE]);
  });

  it("is gone when the keeper did not run, when the gateway ended right after, and when memory was off meanwhile", async () => {
    await endKeepers();
    await deleteSecond();
    await restart(false);
    await tell("Nobody remembers this.");
    await restart(true);
    expect(await knows("Bruno")).toEqual(NOWHERE);
    expect(await knows("Marta")).toEqual(EVERYWHERE);
  });

  it.for([true, false])("leaves no word in the file some time later, with memory on or off (%s)", async (isOn) => {
    expect(onDisk()).toContain("Bruno");
    await deleteSecond();
    await restart(isOn, { clock: HURRIED });
    await eventually("the words are gone from the disk", () => !onDisk().includes("Bruno"));
    expect(onDisk()).toContain("Marta");
  });
});
