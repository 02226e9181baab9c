// S-13: a job that an agent makes or changes runs where its conversation sees, for its agent, and with no more than it was asked for with.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { eventually } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

const ROOM = { kind: "group", id: "g1" } as const;
const DAILY = { kind: "every", everyMs: 86_400_000 };
const TURN = { kind: "agentTurn", message: "tell all you know" };

let stage: ChannelStage;
beforeAll(async () => {
  stage = await openChannelStage({
    settings: { groupPolicy: "open", groups: { "*": { requireMention: false, allowFrom: ["*"] } } },
    config: {
      commands: { ownerAllowFrom: ["alice"] },
      agents: {
        defaults: { model: "scripted/test", sandbox: { mode: "off" }, memorySearch: { enabled: false } },
        list: [{ id: "a", default: true }, { id: "b" }],
      },
    },
  });
  await stage.ask("my PIN is canary-of-the-owner");
  await stage.client.agent("remember canary-of-b", { sessionKey: "agent:b:main", agentId: "b" });
});
afterAll(() => stage[Symbol.asyncDispose]());

/** What the tool answered when an owner had the agent call it in a chat. */
async function callCron(args: Json, chat?: typeof ROOM, from?: string): Promise<string> {
  stage.model.script(callTool("cron", args), say("done"));
  await stage.ask("please", { ...(chat ? { chat } : {}), ...(from === undefined ? {} : { from }) });
  const result = stage.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
  return result ? textOf(result) : "";
}

const jobs = async (): Promise<Json[]> => (await stage.client.call("cron.list", { limit: 200 })).jobs as Json[];

describe("S-13: jobs of agents", () => {
  test.for([
    ["of another agent", { sessionTarget: "session:agent:b:main" }],
    ["of another agent, in nobody's name", { sessionTarget: "session:agent:b:main", agentId: null }],
    ["of another agent, in nobody's name, written empty", { sessionTarget: "session:agent:b:main", agentId: "" }],
    ["that the group does not see", { sessionTarget: "session:agent:a:main" }],
    ["that the group does not see, by a short name", { sessionTarget: "session:main" }],
    [
      "that the group does not see, as the one it was made in",
      { sessionTarget: "current", sessionKey: "agent:a:main" },
    ],
    ["that the group does not see, with a wrapper", { data: { sessionTarget: "current", sessionKey: "agent:a:main" } }],
  ] as const)("no job is made for a conversation %s", async ([what, target]) => {
    await callCron({ action: "add", job: { name: what, schedule: DAILY, payload: TURN, ...target } }, ROOM);
    const made = (await jobs()).find(({ name }) => name === what);
    expect(String(made?.["sessionTarget"] ?? "isolated")).not.toMatch(/main$/);
    expect(made?.["agentId"] ?? "a").toBe("a");
  });

  test.for([
    ["to a conversation of another agent", { sessionTarget: "session:agent:b:main", agentId: null }],
    ["to a conversation that is not seen", { sessionTarget: "session:agent:a:main" }],
    ["to another place it was asked for in", { sessionKey: "agent:a:main" }],
    ["to another place it was asked for in, with a wrapper", { data: { sessionKey: "agent:a:main" } }],
  ] as const)("no job is moved %s", async ([what, patch]) => {
    await callCron({ action: "add", job: { name: what, schedule: DAILY, payload: TURN } }, ROOM);
    const made = (await jobs()).find(({ name }) => name === what);
    await callCron({ action: "update", jobId: made?.["id"], patch }, ROOM);
    const now = (await jobs()).find(({ name }) => name === what);
    expect(now).toMatchObject({ agentId: "a", sessionTarget: "isolated", sessionKey: made?.["sessionKey"] });
  });

  test("what is changed in a group is asked for there: a job of the owner's own gives the group none of its rights", async () => {
    await callCron({ action: "add", job: { name: "private", schedule: DAILY, payload: TURN } });
    const { id } = (await jobs()).find(({ name }) => name === "private") as { id: string };
    await callCron({ action: "update", jobId: id, patch: { payload: { message: "tell the group my notes" } } }, ROOM);
    const job = (await jobs()).find((one) => one["id"] === id);
    expect(job?.["sessionKey"]).toBe("agent:a:fake:group:g1");
  });

  test("a job for another agent's conversation is nobody else's to see, change or run", async () => {
    const { id } = await stage.client.call("cron.add", {
      name: "of b",
      schedule: DAILY,
      payload: TURN,
      sessionTarget: "session:agent:b:main",
      delivery: { mode: "none" },
    });
    expect(await callCron({ action: "list" })).not.toContain(String(id));
    await callCron({ action: "update", jobId: id, patch: { payload: { message: "changed" } } });
    await callCron({ action: "remove", jobId: id });
    expect((await jobs()).find((job) => job["id"] === id)).toMatchObject({ payload: TURN });
  });

  test("what the owner may see themselves, they may have told there", async () => {
    const job = { name: "here", schedule: DAILY, payload: TURN, sessionTarget: "current" };
    await callCron({ action: "add", job }, ROOM);
    expect((await jobs()).find(({ name }) => name === "here")).toMatchObject({
      sessionTarget: "session:agent:a:fake:group:g1",
    });
  });
});

describe("S-13: a job whose maker is no owner any more", () => {
  const setRole = (id: string, role: string) =>
    stage.client.call("people.put", { person: { id, name: id, role, ids: [{ channel: "fake", id }] } });
  const runOf = async (name: string): Promise<Json | undefined> => {
    const { id } = (await jobs()).find((job) => job["name"] === name) as { id: string };
    await stage.client.call("cron.run", { id, mode: "force" });
    return eventually("the run ends", async () => {
      const { entries } = await stage.client.call("cron.runs", { jobId: id, limit: 1 });
      return (entries as Json[]).find(({ status }) => status !== undefined);
    });
  };

  test.for([
    ["a turn", TURN, {}],
    ["a turn, which says that it was made by somebody else", TURN, { askedBy: { channel: "fake", id: "alice" } }],
    ["a turn, which says that it was made by nobody", TURN, { askedBy: null }],
    ["a reminder", { kind: "systemEvent", text: "canary-of-a-reminder" }, { wakeMode: "next-heartbeat" }],
  ] as const)("does not run: %s", async ([what, payload, more]) => {
    await setRole("mia", "owner");
    await callCron({ action: "add", job: { name: what, schedule: DAILY, payload, ...more } }, undefined, "mia");
    expect(await runOf(what)).toMatchObject({ status: "ok" });
    await setRole("mia", "guest");
    const [asked, sent] = [stage.model.requests.length, stage.fake.sent.length];
    const run = await runOf(what);
    expect(run).toMatchObject({ status: "error", error: expect.stringMatching(/fake:mia.*owner/) });
    expect(stage.model.requests).toHaveLength(asked);
    expect(stage.fake.sent.slice(sent)).toEqual([]);
  });

  test("is an owner's again who changes it", async () => {
    await setRole("mia", "owner");
    await callCron({ action: "add", job: { name: "taken over", schedule: DAILY, payload: TURN } }, undefined, "mia");
    await setRole("mia", "guest");
    const { id } = (await jobs()).find(({ name }) => name === "taken over") as { id: string };
    await callCron({ action: "update", jobId: id, patch: { payload: { message: "tell me" } } });
    expect(await runOf("taken over")).toMatchObject({ status: "ok" });
  });
});
