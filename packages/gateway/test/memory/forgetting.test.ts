// What is forgotten is gone from facts, searches and prompts, and comes back by no rebuild, restart or new index.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { say } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { found, indexPath, remembering, untilStatus, WORDS_ALONE } from "../support/stages/memory-stage.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const SECOND = "agent:main:second";
const WITH_WORDS = remembering({ ...WORDS_ALONE, sources: ["memory", "sessions"] });

let state: ReturnType<typeof createStateDirectory>;
let gateway: TestGateway;
let client: WireClient;
beforeEach(async () => {
  state = createStateDirectory(WITH_WORDS);
  await start();
  await tell("My sister is called Marta. I prefer oolong tea.");
  await tell("Marta moves to Lisbon in May, and we help with the boxes.");
  await tell("My neighbour is called Bruno. He lends me his ladder.", SECOND);
  expect(await knows("Marta")).toEqual(EVERYWHERE);
  expect(await knows("oolong")).toEqual(EVERYWHERE);
  expect(await knows("Bruno")).toEqual(EVERYWHERE);
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

async function start(): Promise<void> {
  gateway = await startTestGateway({ stateDir: state.path });
  client = await gateway.connect();
}
async function restart(meanwhile: () => void = () => {}): Promise<void> {
  await gateway[Symbol.asyncDispose]();
  meanwhile();
  await start();
}
async function tell(text: string, sessionKey = "agent:main:main"): Promise<void> {
  gateway.model.script(say("Noted."));
  await client.agent(text, { sessionKey });
}

interface Known {
  readonly facts: boolean;
  readonly found: boolean;
  readonly prompt: boolean;
}
const EVERYWHERE: Known = { facts: true, found: true, prompt: true };
const NOWHERE: Known = { facts: false, found: false, prompt: false };

let conversations = 0;
async function knows(word: string): Promise<Known> {
  const { facts } = await client.call("memory.facts", { limit: 200 });
  const hits = await found(client, `what about ${word}`, { minScore: 0, maxResults: 20 });
  await client.agent("hello", { sessionKey: `agent:main:look-${(conversations += 1)}` });
  return {
    facts: JSON.stringify(facts).includes(word),
    found: JSON.stringify(hits).includes(word),
    prompt: gateway.model.requests.at(-1)?.system.includes(word) ?? false,
  };
}
const learnedAll = () =>
  untilStatus(client, "everything is learned again", ({ learned }) => {
    const { seq, of, facts } = learned as { seq: number; of: number; facts: number };
    return seq === of && facts > 0;
  });

async function expectGoneForGood(gone: string, kept: string): Promise<void> {
  const look = async (when: string) =>
    expect([when, await knows(gone), await knows(kept)]).toEqual([when, NOWHERE, EVERYWHERE]);
  await look("at once");
  await client.call("memory.rebuild", {});
  await learnedAll();
  await look("after a rebuild");
  await restart();
  await look("after a restart");
  await restart(() => rmSync(dirname(indexPath(state.path)), { recursive: true }));
  await look("in a new index");
  await client.call("memory.rebuild", { what: "learned" });
  await learnedAll();
  await look("after a rebuild of the new index");
}

async function factAbout(word: string): Promise<Json> {
  const { facts } = await client.call("memory.facts", { search: word });
  return facts.find(({ text }: { text: string }) => text.includes(word));
}

describe("forgetting", () => {
  it("a fact takes its sentence from everywhere, and no other", async () => {
    const { id } = await factAbout("oolong");
    expect((await client.call("memory.forget", { what: { kind: "fact", id } })).forgotten).toMatchObject({ facts: 1 });
    await expectGoneForGood("oolong", "Marta");
  });

  it("a subject takes every sentence about it", async () => {
    const { forgotten } = await client.call("memory.forget", { what: { kind: "subject", subject: "Marta" } });
    expect(forgotten.facts).toBeGreaterThan(0);
    await expectGoneForGood("Marta", "oolong");
    expect(JSON.stringify(await found(client, "boxes", { minScore: 0 }))).not.toContain("Lisbon");
  });

  it("a conversation takes all that was said there", async () => {
    const { forgotten } = await client.call("memory.forget", { what: { kind: "session", sessionKey: SECOND } });
    expect(forgotten).toMatchObject({ facts: expect.any(Number), chunks: 1 });
    await expectGoneForGood("Bruno", "Marta");
    expect(JSON.stringify(await found(client, "ladder", { minScore: 0 }))).not.toContain("ladder");
  });

  it("reaches a conversation that is warm, too, and leaves it alone otherwise", async () => {
    const promptOf = async (): Promise<string> => {
      await client.agent("hello", { sessionKey: "agent:main:warm" });
      return gateway.model.requests.at(-1)?.system ?? "";
    };
    const before = await promptOf();
    expect(before).toContain("Marta");
    await tell("I also like rye bread.");
    expect(await knows("rye")).toEqual(EVERYWHERE);
    expect(await promptOf()).toBe(before);
    await client.call("memory.forget", { what: { kind: "subject", subject: "Marta" } });
    const after = await promptOf();
    expect(after).not.toContain("Marta");
    expect(after).toContain("rye");
    expect(await promptOf()).toBe(after);
  });

  it("leaves the conversation itself as it was, and no word in the index or in the audit trail", async () => {
    const folder = dirname(indexPath(state.path));
    await restart(() => writeFileSync(indexPath(state.path), "this was an index, and Marta was in it"));
    expect(await knows("Marta")).toEqual(EVERYWHERE);
    expect(readdirSync(folder).join(" ")).toContain(".damaged-");
    await client.call("memory.forget", { what: { kind: "subject", subject: "Marta" } });
    expect(JSON.stringify(await client.call("chat.history", { sessionKey: "agent:main:main" }))).toContain("Marta");
    const { records } = await client.call("audit.list", { actions: ["memory"] });
    expect(records).toMatchObject([{ action: "memory", target: "subject", outcome: "ok", agentId: "main" }]);
    expect(JSON.stringify(records)).not.toMatch(/Marta/i);
    await learnedAll();
    await eventually("its words are overwritten", () =>
      readdirSync(folder).every((name) => !/marta/i.test(readFileSync(join(folder, name), "latin1"))),
    );
  });

  it("something else, in a new index that has learned nothing yet, does not bring it back", async () => {
    const learning = (enabled: boolean) => () => {
      const config = JSON.parse(readFileSync(gateway.configPath, "utf8")) as Json;
      writeFileSync(gateway.configPath, JSON.stringify({ ...config, memory: { learning: { enabled } } }));
    };
    await client.call("memory.forget", { what: { kind: "subject", subject: "Marta" } });
    await restart(() => {
      rmSync(dirname(indexPath(state.path)), { recursive: true });
      learning(false)();
    });
    await client.call("memory.forget", { what: { kind: "subject", subject: "Bruno" } });
    await restart(learning(true));
    expect([await knows("Marta"), await knows("Bruno")]).toEqual([NOWHERE, NOWHERE]);
  });

  it("holds for what was said before; what is said later is new", async () => {
    await client.call("memory.forget", { what: { kind: "subject", subject: "Marta" } });
    expect(await knows("Marta")).toEqual(NOWHERE);
    await tell("My sister is called Marta, remember that please.");
    expect(await knows("Marta")).toMatchObject({ facts: true, prompt: true });
    expect(JSON.stringify(await found(client, "boxes Lisbon", { minScore: 0 }))).not.toContain("Lisbon");
  });
});
