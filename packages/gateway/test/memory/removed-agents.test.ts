// An agent that is removed with its files leaves nothing of its memory behind, and one of the same name begins with nothing.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { remembering } from "../support/stages/memory-stage.ts";
import type { WireClient } from "../support/wire-client.ts";

const AGENT = { agentId: "leaver" };

let gateway: TestGateway;
let client: WireClient;
beforeEach(async () => {
  gateway = await startTestGateway({ config: remembering() });
  client = await gateway.connect();
  await addLeaver();
  gateway.model.script(say("Noted."));
  await client.agent("My sister is called Marta.", { sessionKey: "agent:leaver:main" });
  await client.agent("I prefer oolong tea.", { sessionKey: "agent:main:main" });
  await client.call("memory.forget", { ...AGENT, what: { kind: "subject", subject: "Bruno" } });
  expect(await factsOf("leaver")).toContain("Marta");
});
afterEach(() => gateway[Symbol.asyncDispose]());

const addLeaver = () => client.call("agents.create", { name: "Leaver", workspace: "~/workspaces/leaver" });
const inMemory = (...names: string[]) => join(gateway.stateDir, "memory", ...names);
const filesOf = (agentId: string) => readdirSync(inMemory()).filter((name) => name.startsWith(agentId));
const factsOf = async (agentId: string) => JSON.stringify(await client.call("memory.facts", { agentId }));
const block = async (agentId: string): Promise<string> => (await client.call("memory.block", { agentId })).text;

it("takes the index, what lies beside it, and what prompts were told", async () => {
  for (const name of ["leaver.sqlite.damaged-2026", "leaver.sqlite.is-damaged", "leaver.sqlite.new"]) {
    writeFileSync(inMemory(name), "Marta");
  }
  writeFileSync(inMemory("leaver.sqlite.openclaw"), "an index of another program");
  expect(await block("leaver")).toContain("Marta");
  const removed = await client.call("agents.delete", AGENT);
  expect(filesOf("leaver")).toEqual([]);
  expect(filesOf("main")).not.toEqual([]);
  expect(existsSync(join(removed.trash, "memory.sqlite"))).toBe(true);
  expect(await factsOf("main")).toContain("oolong");

  await addLeaver();
  expect(await block("leaver")).toBe("");
  expect(await factsOf("leaver")).not.toContain("Marta");
  gateway.model.script(say("Noted."));
  await client.agent("My brother is called Bruno.", { sessionKey: "agent:leaver:main" });
  expect(await factsOf("leaver")).toContain("Bruno");
});

it("stays when its files do", async () => {
  await client.call("agents.delete", { ...AGENT, deleteFiles: false });
  expect(filesOf("leaver")).toContain("leaver.sqlite");
  await addLeaver();
  expect(await factsOf("leaver")).toContain("Marta");
});

it("leaves an index that another agent has, too", async () => {
  const memorySearch = { store: { path: "~/shared.sqlite" } };
  const list = [{ id: "main" }, { id: "one", memorySearch }, { id: "two", memorySearch }];
  await using house = await startTestGateway({ config: { agents: { list } } });
  const shared = join(house.stateDir, "shared.sqlite");
  writeFileSync(shared, "");
  const owner = await house.connect();
  await owner.call("agents.delete", { agentId: "one" });
  expect(existsSync(shared)).toBe(true);
  await owner.call("agents.delete", { agentId: "two" });
  expect(existsSync(shared)).toBe(false);
});
