// What is brought before a person, and in which order.
import { expect, it } from "vitest";
import { accountsOf, gatherWaiting, type KnownWaiting } from "../../state/waiting.ts";
import { gatherDoubts, type KnownDoubts, type Need } from "./needs.ts";

type Known = KnownWaiting & KnownDoubts;

const account = {
  accountId: "default",
  enabled: true,
  configured: true,
  linked: true,
  running: true,
  connected: true,
  reconnectAttempts: 0,
  unresolved: [],
  deliveries: { pending: 0, undeliverable: 0 },
};
const channelsWith = (...accounts: Array<Partial<typeof account> & { lastError?: string }>) => ({
  ts: 0,
  channelOrder: ["telegram"],
  channelLabels: { telegram: "Telegram" },
  channelDetailLabels: {},
  channelSystemImages: {},
  channelMeta: [],
  channels: {},
  channelAccounts: { telegram: accounts.map((one) => ({ ...account, ...one })) },
  channelDefaultAccountId: {},
});
const config = {
  path: "/c",
  exists: true,
  valid: true,
  raw: "",
  parsed: {},
  resolved: {},
  config: {},
  hash: "",
  issues: [],
  warnings: [],
  legacyIssues: [],
  source: "file",
} as const;
const issue = { path: "agents", message: "must be an object" };
const delivery = (id: string) => ({
  id,
  runId: `run-${id}`,
  channel: "telegram",
  accountId: "default",
  to: "42",
  state: "undeliverable" as const,
  attempts: 5,
  createdAt: 0,
  preview: "hello",
});
const budget = (share: number) => ({ name: "daily limit", scope: "all", of: "", period: "day", share });
const NOW = 1000;
const needsOf = (known: Known): Need[] => [...gatherWaiting(known, NOW), ...gatherDoubts(known)];
const kinds = (known: Known): string[] => needsOf(known).map(({ kind }) => kind);

it("finds nothing where all is well", () => {
  expect(needsOf({})).toEqual([]);
  expect(
    needsOf({
      channels: channelsWith({}),
      config: { ...config, issues: [], warnings: [], legacyIssues: [], notes: [] },
    }),
  ).toEqual([]);
});

it("puts waiting people before what stands still, and doubts last", () => {
  const known: Known = {
    approvals: [{ id: "a", request: { command: "ls" }, createdAtMs: 0, expiresAtMs: 1 }],
    people: [
      { channel: "telegram", accountId: "default", id: "7", code: "AB", createdAt: "", lastSeenAt: "", meta: {} },
    ],
    nodes: [{ requestId: "n", nodeId: "phone", ts: 0, adds: { caps: [], commands: ["camera.snap"], permissions: {} } }],
    deliveries: [delivery("1")],
    channels: channelsWith({ connected: false, running: false, lastError: "gone" }),
    config: { ...config, issues: [issue], warnings: [issue], legacyIssues: [], notes: [] },
    budgets: [budget(1.2), budget(0.8), budget(0.79)],
  };
  expect(kinds(known)).toEqual([
    "approval",
    "person",
    "node",
    "channel",
    "delivery",
    "config",
    "budget",
    "budget",
    "config",
  ]);
  expect(needsOf(known)).toContainEqual(expect.objectContaining({ kind: "person", channel: "Telegram" }));
  const paired = [
    { deviceId: "phone", publicKey: "k", displayName: "Ada’s phone", createdAtMs: 0, approvedAtMs: 0, tokens: [] },
  ];
  expect(needsOf({ ...known, paired })).toContainEqual(expect.objectContaining({ kind: "node", name: "Ada’s phone" }));
});

it("tells how many more messages did not arrive instead of listing all", () => {
  const needs = needsOf({ deliveries: ["1", "2", "3", "4", "5"].map(delivery) });
  expect(needs).toHaveLength(4);
  expect(needs.at(-1)).toEqual({ kind: "more-deliveries", count: 2 });
});

it("names lists with unknown names only where the account may be used", () => {
  expect(kinds({ channels: channelsWith({ unresolved: ["@nobody"] as never[] }) })).toEqual(["names"]);
  expect(kinds({ channels: channelsWith({ enabled: false, unresolved: ["@nobody"] as never[] }) })).toEqual([]);
});

it("names the account where a channel has several", () => {
  expect(accountsOf(channelsWith({})).map(({ name }) => name)).toEqual(["Telegram"]);
  const two = accountsOf(channelsWith({}, { accountId: "work" })).map(({ name }) => name);
  expect(two).toEqual(["Telegram (default)", "Telegram (work)"]);
});

it("leaves out devices whose request has lapsed", () => {
  const device = (expiresAtMs: number) => ({ requestId: "r", deviceId: "d", ts: 0, expiresAtMs });
  expect(kinds({ devices: [device(NOW), device(NOW + 1)] })).toEqual(["device"]);
});

it("brings failed jobs, but not those that somebody switched off", () => {
  const job = (id: string, enabled: boolean) => ({
    id,
    name: id,
    enabled,
    schedule: { kind: "every" as const, everyMs: 1000 },
    sessionTarget: "isolated" as const,
    wakeMode: "now" as const,
    payload: { kind: "exec" as const, command: "false" },
    createdAtMs: 0,
    updatedAtMs: 0,
    state: { lastRunStatus: "error" as const },
    says: { schedule: "" },
  });
  const jobs = ["a", "b", "c", "d", "e"].map((id) => job(id, id !== "b"));
  const needs = needsOf({ jobs });
  expect(needs.map((need) => (need.kind === "job" ? need.job.id : need.kind))).toEqual(["a", "c", "d", "more-jobs"]);
  expect(needs.at(-1)).toEqual({ kind: "more-jobs", count: 1 });
});

it("brings each danger before what stands still, and tells all that could be safer in one breath at the end", () => {
  const finding = (id: string, severity: "critical" | "warning" | "info") => ({
    id,
    severity,
    title: id,
    risk: "",
    where: "",
    fix: "",
    fixable: false,
    asksFirst: false,
  });
  const findings = [
    finding("a", "critical"),
    finding("b", "critical"),
    finding("c", "warning"),
    finding("d", "warning"),
    finding("e", "info"),
  ];
  const needs = needsOf({
    findings,
    config: { ...config, issues: [issue], warnings: [issue], legacyIssues: [], notes: [] },
  });
  expect(needs.map(({ kind }) => kind)).toEqual(["danger", "danger", "config", "config", "weak"]);
  expect(needs.at(-1)).toEqual({ kind: "weak", findings: [findings[2], findings[3]] });
  expect(kinds({ findings: [finding("e", "info")] })).toEqual([]);
});
