// S-38: who asks decides what is seen, done and reached; the conversation they ask in gives nothing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { openChannelStage, toldBy, type ChannelStage } from "../support/channel-stage.ts";
import type { Json } from "../support/wire-client.ts";

const SECRET = "canary-of-the-owner";
const NOTE = "canary-of-the-notes";
const MAIN = "agent:main:main";

/** Alice owns it, Mia is a member, Bob was named, Gus is a guest; everybody else is a stranger. */
async function openHouse(config: Json = {}): Promise<ChannelStage> {
  const stage = await openChannelStage({
    settings: {
      dmPolicy: "open",
      allowFrom: ["*", "alice", "bob"],
      groupPolicy: "open",
      groups: { "*": { requireMention: false, allowFrom: ["*"] } },
    },
    config: {
      commands: { ownerAllowFrom: ["alice"] },
      agents: { defaults: { sandbox: { mode: "non-main" } } },
      ...config,
    },
  });
  for (const [id, role] of [
    ["mia", "member"],
    ["gus", "guest"],
  ])
    await stage.client.call("people.put", { person: { id, name: id, role, ids: [{ channel: "fake", id }] } });
  const workspace = join(stage.gateway.stateDir, "workspace");
  mkdirSync(join(workspace, "memory"), { recursive: true });
  writeFileSync(join(workspace, "MEMORY.md"), `${NOTE}\n`);
  writeFileSync(join(workspace, "memory", "today.md"), `${NOTE}\n`);
  return stage;
}

/** What the tool answered when the model was made to call it for somebody. */
async function callFor(stage: ChannelStage, from: string, tool: string, args: Json, chat?: Json): Promise<string> {
  stage.model.script(callTool(tool, args), say("done"));
  await stage.ask("please", { from, ...(chat ? { chat: chat as never } : {}) });
  const result = stage.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
  return result ? textOf(result) : "";
}

const OTHERS = ["mia", "bob", "gus", "eve"] as const;

describe.each([
  ["where nothing is written about conversations", {}],
  ["where main is written as everybody's conversation", { session: { dmScope: "main" } }],
])("S-38: %s", (_where, config) => {
  let stage: ChannelStage;
  const isShared = "session" in config;
  beforeAll(async () => {
    stage = await openHouse(config);
    await stage.ask(`My PIN is ${SECRET}.`);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.for(OTHERS)(
    "%s hears nothing of the owner's words, unless it is written and they were vouched for",
    async (from) => {
      await stage.ask("what did we talk about?", { from });
      const isHeard = toldBy(stage.model.requests.at(-1)).join().includes(SECRET);
      expect(isHeard).toBe(isShared && ["mia", "bob"].includes(from));
    },
  );

  test.for(OTHERS)("%s has no command run on this machine", async (from) => {
    const told = await callFor(stage, from, "exec", { command: "hostname; cat MEMORY.md ../MEMORY.md" });
    expect(told).not.toContain(hostname());
    expect(told).not.toContain(NOTE);
  });

  test.for(OTHERS)("%s neither reads nor writes the owner's workspace", async (from) => {
    expect(await callFor(stage, from, "read", { path: "MEMORY.md" })).not.toContain(NOTE);
    await callFor(stage, from, "write", { path: "MEMORY.md", content: "overwritten" });
    expect(readFileSync(join(stage.gateway.stateDir, "workspace", "MEMORY.md"), "utf8")).toContain(NOTE);
  });

  test.for(["/rewind 1", "/new", "/model scripted/test", "/compact", "/export-session x.html", "/restart"])(
    "%s of somebody else leaves the owner's conversation as it is",
    async (command) => {
      const before = await stage.client.call("chat.history", { sessionKey: MAIN });
      await stage.fake.say(command, { from: "bob" });
      await stage.ask("still there?", { from: "alice" });
      const after = await stage.client.call("chat.history", { sessionKey: MAIN });
      expect(after.sessionId).toBe(before.sessionId);
      expect(JSON.stringify(after.messages)).toContain(SECRET);
    },
  );

  test("the owner has it all", async () => {
    expect(await callFor(stage, "alice", "read", { path: "MEMORY.md" })).toContain(NOTE);
    await stage.ask("what did we talk about?");
    expect(toldBy(stage.model.requests.at(-1)).join()).toContain(SECRET);
  });
});
