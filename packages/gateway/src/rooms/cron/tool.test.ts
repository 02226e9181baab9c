// The tool plans what its agent may do itself, and nothing more; questions about jobs are answered in pages and words.
import { describe, expect, it } from "vitest";
import type { CronJob, Exchange, ToolContext } from "@chela/sdk";
import { cronTool } from "./cron-tool.ts";
import { HOUR, openWorld, type World } from "./world.test-support.ts";

const context = (agentId = "main"): ToolContext => ({
  agentId,
  sessionKey: `agent:${agentId}:irc:direct:ann`,
  runId: "run",
  toolCallId: "call",
  requester: { channel: "irc", account: "default", id: "ann", isOwner: true, standing: "owner" },
  workspace: "/nowhere",
  model: {} as ToolContext["model"],
  signal: new AbortController().signal,
  update() {},
});

function toolOf(world: World) {
  const woken: object[] = [];
  const tool = cronTool({
    cron: { whenReady: async () => world.cron },
    keys: () => ({ defaultAgentId: "main" }),
    wake: async (event) => void woken.push(event),
    ledger: {
      exchanges: async () => [
        {
          message: { body: { text: "the cake is in the oven" } },
          outcome: { texts: ["x".repeat(500)] },
        } as unknown as Exchange,
      ],
    },
    placeHere: async () => ({ channel: "irc", to: "ann" }),
    seesSession: async ({ sessionKey }, key) => key === sessionKey,
  });
  const call = async (args: object, agentId?: string) => {
    const parsed = tool.parameters().parse(args);
    return (await tool.run(parsed, context(agentId))).details as { job: CronJob };
  };
  return { tool, call, woken };
}

const REMINDER = { action: "add", job: { schedule: "every 1h", payload: { kind: "agentTurn", message: "look" } } };

describe("The tool cron", () => {
  it("is for owners", async () => {
    await using world = await openWorld();
    expect(toolOf(world).tool).toMatchObject({ name: "cron", ownerOnly: true, family: "automation" });
  });

  it("makes a job of the agent itself that answers where it was asked for, and runs, changes and removes it", async () => {
    await using world = await openWorld();
    const { call } = toolOf(world);
    const { job } = await call(REMINDER);
    const { id } = job;
    expect(job).toMatchObject({
      agentId: "main",
      sessionKey: "agent:main:irc:direct:ann",
      delivery: { mode: "announce", channel: "irc", to: "ann" },
    });
    expect(await call({ action: "list" })).toMatchObject({ jobs: [{ id, says: { schedule: "every hour" } }] });
    expect(await call({ action: "update", jobId: id, patch: { name: "renamed" } })).toMatchObject({
      job: { name: "renamed" },
    });
    expect(await call({ action: "run", id })).toMatchObject({ ran: true });
    await world.settle();
    expect(await call({ action: "runs", jobId: id })).toMatchObject({ runs: [{ status: "ok", trigger: "force" }] });
    expect(await call({ action: "remove", jobId: id })).toEqual({ removed: true });
    expect(await call({ action: "status" })).toMatchObject({ jobs: 0, enabled: true });
  });

  it("takes what was written beside the job, and puts what was said last behind a reminder", async () => {
    await using world = await openWorld();
    const { call } = toolOf(world);
    const { job } = await call({
      action: "add",
      schedule: "every 1h",
      payload: { kind: "systemEvent", text: "cake!" },
      contextMessages: 2,
    });
    expect(job).toMatchObject({ sessionTarget: "main" });
    const text = job.payload.kind === "systemEvent" ? job.payload.text : "";
    expect(text).toMatch(/^cake!\n\nRecent context:\n- User: the cake is in the oven\n- Assistant: x{209}$/);
  });

  it.each<[string, object, RegExp]>([
    ["a command", { payload: { kind: "exec", command: "rm -rf /" } }, /operator's to write/],
    ["a command under another roof", { job: { payload: { command: ["x"] } } }, /operator's to write/],
    ["a job of another agent", { agentId: "other" }, /for yourself only/],
    [
      "a page to post to",
      { delivery: { mode: "webhook", to: "http://169.254.169.254/" } },
      /only by jobs the operator makes/,
    ],
    [
      "a page for failures",
      { failureAlert: { mode: "webhook", to: "http://x.test/" } },
      /only by jobs the operator makes/,
    ],
  ])("refuses %s, when it is added and when it is patched in", async (_what, over, why) => {
    await using world = await openWorld();
    const { call } = toolOf(world);
    await expect(call({ action: "add", job: { ...REMINDER.job, ...over } })).rejects.toThrow(why);
    const { job } = await call(REMINDER);
    await expect(call({ action: "update", jobId: job.id, patch: over })).rejects.toThrow(why);
    expect((await world.ledger.jobs()).map(({ payload }) => payload.kind)).toEqual(["agentTurn"]);
  });

  it("knows nothing of the jobs of other agents", async () => {
    await using world = await openWorld();
    const { call } = toolOf(world);
    const { job } = await call(REMINDER, "other");
    const { id } = job;
    expect(await call({ action: "list" })).toEqual({ jobs: [] });
    for (const action of ["update", "remove", "run", "runs"]) {
      await expect(call({ action, jobId: id, patch: {} })).rejects.toThrow(/There is no job/);
    }
  });

  it("cannot rewrite the command of a job the operator made", async () => {
    await using world = await openWorld();
    const { job } = await world.cron.add({ schedule: "every 1h", payload: { kind: "exec", command: ["true"] } });
    const { call } = toolOf(world);
    await expect(call({ action: "update", jobId: job.id, patch: { payload: { cwd: "/" } } })).rejects.toThrow(
      /operator's/,
    );
    await expect(call({ action: "update", jobId: job.id, patch: { command: "x" } })).rejects.toThrow(/operator's/);
  });

  it("tells the agent something by itself", async () => {
    await using world = await openWorld();
    const { call, woken } = toolOf(world);
    await call({ action: "wake", text: "look up", mode: "now" });
    expect(woken).toMatchObject([{ agentId: "main", text: "look up", mode: "now", key: "run:tool:call" }]);
  });
});

describe("Questions", () => {
  const add = (world: World, name: string, over: object = {}) =>
    world.cron.add({ name, schedule: "every 1h", message: `about ${name}`, ...over });

  it("list jobs in pages, by what is asked for", async () => {
    await using world = await openWorld();
    await add(world, "b", { schedule: "every 2h" });
    await add(world, "a", { schedule: "every 3h", description: "Tea" });
    await add(world, "c", { enabled: false });
    const names = async (query: object) =>
      (await world.cron.list({ limit: 10, offset: 0, ...query })).jobs.map(({ name }) => name);
    expect(await names({})).toEqual(["b", "a", "c"]);
    expect(await names({ sortDir: "desc" })).toEqual(["a", "b", "c"]);
    expect(await names({ sortBy: "name", sortDir: "desc" })).toEqual(["c", "b", "a"]);
    expect(await names({ enabled: "disabled" })).toEqual(["c"]);
    expect(await names({ query: "TEA" })).toEqual(["a"]);
    expect(await world.cron.list({ limit: 1, offset: 1 })).toMatchObject({ total: 3, jobs: [{ name: "a" }] });
  });

  it("say what comes next over all jobs", async () => {
    await using world = await openWorld();
    await add(world, "often");
    await add(world, "seldom", { schedule: "every 90m" });
    await add(world, "never", { enabled: false });
    const next = await world.cron.upcoming({ limit: 4 });
    expect(next.map(({ job }) => job.name)).toEqual(["often", "seldom", "often", "seldom"]);
    expect(next.map(({ atMs }) => (atMs - world.clock.now()) / HOUR)).toEqual([1, 1.5, 2, 3]);
    expect(await world.cron.upcoming({ limit: 9, before: world.clock.now() + 2 * HOUR })).toHaveLength(2);
  });

  it("preview a schedule, or say what is wrong with it", async () => {
    await using world = await openWorld();
    expect(world.cron.preview("30 7 * * 1-5", { tz: "Europe/Stockholm", count: 2 })).toMatchObject({
      human: "at 07:30 on weekdays (Europe/Stockholm)",
      schedule: { kind: "cron", tz: "Europe/Stockholm" },
      runs: [
        { atMs: Date.parse("2026-06-02T05:30:00Z"), text: expect.stringContaining("Tue 07:30 Europe/Stockholm") },
        {},
      ],
    });
    expect(world.cron.preview("99 7 * * *", { count: 1 }).problems?.[0]).toMatch(/minute is "99"/);
    expect(world.cron.preview("whenever", { count: 1 }).problems).toHaveLength(1);
    expect(world.cron.preview("0 0 30 2 *", { count: 1 }).problems).toEqual(["It will never be due."]);
    expect(
      world.cron.preview({ kind: "cron", expr: "0 9 * * *" }, { tz: "Mars/Base", count: 1 }).problems?.[0],
    ).toMatch(/Mars\/Base/);
  });
});
