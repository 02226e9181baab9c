// What is typed about a job, as what the gateway is asked for and back.
import type { CronJob } from "@chela/sdk/cron";
import { describe, expect, it } from "vitest";
import { draftOf, emptyDraft, readDraft, type JobDraft } from "./job-draft.ts";
import { patchOf } from "./job-patch.ts";

const job: CronJob = {
  id: "j",
  name: "Weather",
  enabled: true,
  schedule: { kind: "cron", expr: "30 7 * * 1-5", tz: "Europe/Stockholm" },
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: { kind: "agentTurn", message: "The weather?", model: "a/b", timeoutSeconds: 90, tools: { deny: ["exec"] } },
  delivery: { mode: "announce", channel: "telegram", to: "user:42", accountId: "home", bestEffort: true },
  failureAlert: { after: 3, cooldownMs: 1000 },
  catchUp: "skip",
  createdAtMs: 0,
  updatedAtMs: 0,
  state: {},
};
const typed = (change: Partial<JobDraft>): JobDraft => ({ ...emptyDraft(0), message: "Hello", ...change });
const wishesOf = (draft: JobDraft) => {
  const read = readDraft(draft);
  if (read.kind === "problem") throw new Error(read.problem);
  return read.wishes;
};

describe("what is asked for", () => {
  it("is little, where little was typed", () => {
    const { schedule, ...rest } = wishesOf(typed({}));
    expect(schedule).toMatchObject({ kind: "cron", expr: "30 7 * * *" });
    expect(rest).toEqual({
      sessionTarget: "isolated",
      wakeMode: "now",
      payload: { kind: "agentTurn", message: "Hello" },
      delivery: { mode: "announce", channel: "last" },
    });
  });

  it("tells the main conversation of reminders, whatever place was chosen before", () => {
    const wishes = wishesOf(typed({ what: "reminder", reminder: "Tea", where: "last" }));
    expect(wishes).toMatchObject({
      sessionTarget: "main",
      payload: { kind: "systemEvent", text: "Tea" },
      delivery: { mode: "none" },
    });
  });

  it("gives a shell a text, and a program its arguments", () => {
    const command = typed({ what: "command", command: "du -sh\n/tmp", where: "none", timeout: "0.5" });
    expect(wishesOf(command)).toMatchObject({
      payload: { kind: "exec", command: "du -sh\n/tmp", timeoutSeconds: 30 },
    });
    expect(wishesOf({ ...command, isProgram: true })).toMatchObject({ payload: { command: ["du -sh", "/tmp"] } });
  });

  it("removes jobs for one instant only if that is wished", () => {
    const once = typed({ when: { ...emptyDraft().when, kind: "once" } });
    expect(wishesOf(once)).toMatchObject({ deleteAfterRun: true });
    expect(wishesOf({ ...once, deletesItself: false })).toMatchObject({ deleteAfterRun: false });
  });

  it.each([
    ["messageMissing", { message: " " }],
    ["reminderMissing", { what: "reminder" }],
    ["commandMissing", { what: "command" }],
    ["toMissing", { where: "chat" }],
    ["toMissing", { where: "chat", channel: "telegram" }],
    ["urlWrong", { where: "webhook", url: "ftp://x" }],
    ["timeoutWrong", { timeout: "soon" }],
    ["timeoutWrong", { timeout: "-1" }],
    ["alertWrong", { alert: "after", alertAfter: "1.5" }],
    ["everyWrong", { when: { ...emptyDraft().when, kind: "every", count: "" } }],
  ] as const)("is nothing while there is a problem: %s", (problem, change) => {
    expect(readDraft(typed(change))).toEqual({ kind: "problem", problem });
  });

  it("needs no address for this page itself", () => {
    expect(wishesOf(typed({ where: "chat", channel: "webchat" }))).toMatchObject({
      delivery: { mode: "announce", channel: "webchat" },
    });
  });
});

describe("a job that exists", () => {
  it("is shown as it would be typed", () => {
    expect(draftOf(job)).toMatchObject({
      what: "turn",
      model: "a/b",
      timeout: "1.5",
      where: "chat",
      channel: "telegram",
      to: "user:42",
      isBestEffort: true,
      alert: "after",
      alertAfter: "3",
      catchUp: "skip",
    });
    const exec = draftOf({ ...job, payload: { kind: "exec", command: ["ls", "-l"] }, delivery: { mode: "none" } });
    expect(exec).toMatchObject({ what: "command", command: "ls\n-l", isProgram: true, where: "none" });
    expect(draftOf({ ...job, delivery: { mode: "announce", channel: "last" } }).where).toBe("last");
  });

  it("is asked for as it is when nothing was typed", () => {
    const patch = patchOf(job, wishesOf(draftOf(job)));
    const { tools: _kept, ...payload } = job.payload as Extract<CronJob["payload"], { kind: "agentTurn" }>;
    const { name, schedule, sessionTarget, wakeMode, delivery, failureAlert, catchUp } = job;
    expect(patch).toEqual({ name, schedule, sessionTarget, wakeMode, delivery, failureAlert, catchUp, payload });
  });

  it("loses what was emptied, and keeps what the form does not show", () => {
    const draft: JobDraft = {
      ...draftOf(job),
      model: "",
      timeout: "",
      where: "last",
      isBestEffort: false,
      catchUp: "",
      alert: "usual",
    };
    const patch = patchOf(job, wishesOf({ ...draft, when: { ...draft.when, zone: "" } }));
    expect(patch).toMatchObject({
      catchUp: null,
      failureAlert: null,
      schedule: { kind: "cron", expr: "30 7 * * 1-5", tz: null },
      payload: { kind: "agentTurn", model: null, timeoutSeconds: null },
      delivery: { mode: "announce", channel: "last", to: null, accountId: null, bestEffort: null },
    });
    expect(patch["payload"]).not.toHaveProperty("tools");
  });
});
