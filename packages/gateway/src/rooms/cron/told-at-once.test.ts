// What a job is told as: without the secrets of its command, and with what will not work as things are.
import { describe, expect, it } from "vitest";
import { openWorld } from "./world.test-support.ts";

const SECRET = "s3cret-value";
const JOB = {
  name: "backup",
  schedule: { kind: "every", everyMs: 3_600_000 },
  payload: { kind: "exec", command: "backup", env: { TOKEN: SECRET, PLACE: "here" } },
};
const MARK = "__OPENCLAW_REDACTED__";

describe("Values of a command's environment", () => {
  it("are shown to nobody, and cannot be searched for", async () => {
    await using world = await openWorld();
    const { cron } = world;
    const { job } = await cron.add(JOB);
    const shown = [
      cron.tellJob(job),
      (await cron.list({ limit: 5, offset: 0 })).jobs,
      await cron.upcoming({ limit: 1 }),
    ];
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(cron.tellJob(job).payload).toMatchObject({ command: "backup", env: { TOKEN: MARK, PLACE: MARK } });
    expect((await cron.list({ query: "s3cret", limit: 5, offset: 0 })).total).toBe(0);
    expect((await cron.list({ query: "backup", limit: 5, offset: 0 })).total).toBe(1);
  });

  it("stay when what was shown is sent back, and change where another one is written", async () => {
    await using world = await openWorld();
    const { id } = (await world.cron.add(JOB)).job;
    const payload = { kind: "exec", command: "backup -v", env: { TOKEN: MARK, PLACE: "there" } };
    await world.cron.update(id, { payload });
    expect((await world.ledger.job(id))?.payload).toEqual({ ...payload, env: { TOKEN: SECRET, PLACE: "there" } });
  });

  it("cannot be the mark itself", async () => {
    await using world = await openWorld();
    const payload = { kind: "exec", command: "x", env: { NEW: MARK } };
    await expect(world.cron.add({ ...JOB, payload })).rejects.toThrow("payload.env.NEW");
  });
});

describe("A new job says at once what will not work", () => {
  it.each([
    ["a place that is not there", { delivery: { mode: "announce", channel: "fax" } }, "fax is not configured"],
    ["a model nobody knows", { model: "no/such" }, "no/such is no model"],
  ])("%s", async (_what, over, words) => {
    await using world = await openWorld({
      house: {
        placeFor: async (_agent, { channel }) =>
          channel
            ? { mode: "nowhere", why: `${channel} is not configured` }
            : { mode: "chat", channel: "webchat", to: "x" },
      },
      parts: {
        whyNoModel: (ref) => `${ref} is no model`,
      },
    });
    const { job, notes } = await world.cron.add({ name: "x", schedule: "every 15m", message: "look", ...over });
    expect(notes.join("\n")).toContain(words);
    expect((await world.cron.update(job.id, { name: "y" })).notes.join("\n")).toContain(words);
  });

  it("that no job runs", async () => {
    await using world = await openWorld({ settings: { isEnabled: false } });
    expect((await world.cron.add(JOB)).notes.join("\n")).toContain("cron.enabled is false");
    expect((await world.cron.add({ ...JOB, enabled: false })).notes.join("\n")).not.toContain("cron.enabled");
  });

  it("and nothing where all is well", async () => {
    await using world = await openWorld();
    const job = { name: "x", schedule: "every 15m", payload: { kind: "agentTurn", message: "look", model: "m/x" } };
    expect((await world.cron.add({ ...job, sessionTarget: "isolated" })).notes).toEqual([]);
  });
});
