// The security audit of a gateway that runs: a new one has nothing to complain about, and what is weak is found and put right.
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { say } from "@chela/sdk/testing";
import { startGateway } from "../../src/main.ts";
import { openSecurityAudit } from "../../src/house/security/open-security-audit.ts";
import { systemClock } from "@chela/sdk/base";
import { startTestGateway } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

const ids = (report: Json): string[] => (report["findings"] as Json[]).map(({ id }) => String(id));

test("a new install scores clean, also from outside, and after its first conversation", async () => {
  const home = mkdtempSync(join(tmpdir(), "chela-new-"));
  const stateDir = join(home, "state");
  const env = { HOME: home, OPENCLAW_STATE_DIR: stateDir, OLLAMA_HOST: "127.0.0.1:9" };
  const gateway = await startGateway({ env, port: 0, pageRoot: home });
  try {
    const { config, paths, port } = gateway;
    const security = openSecurityAudit({ config, paths, clock: systemClock, port: () => port, jobs: async () => [] });
    const report = await security.audit({ deep: true });
    expect(report.summary).toMatchObject({ critical: 0, warning: 0 });
    expect(report.findings.map(({ id }) => id).sort()).toEqual(expect.arrayContaining(["budgets-none"]));
    expect(report.notChecked.join(" ")).not.toContain("as a stranger");
    expect(JSON.stringify(report)).not.toContain(config.current().gateway?.auth?.token);
  } finally {
    await gateway.stop("stop");
    rmSync(home, { recursive: true, force: true });
  }
});

test("what a gateway writes while it works is for its owner alone", async () => {
  await using gateway = await startTestGateway();
  chmodSync(gateway.configPath, 0o600);
  const client = await gateway.connect();
  gateway.model.script(say("hello"));
  await client.agent("hello");
  const report = await client.call("security.audit");
  expect(report.findings.filter(({ severity }: Json) => severity !== "info")).toEqual([]);
  expect(report.ok).toBe(true);
});

test("findings are told without secrets, put right by their ids, and others are told of it", async () => {
  const config = {
    logging: { redactSensitive: "off" },
    // Both have no effect, so neither weakens anything.
    diagnostics: { cacheTrace: { enabled: true } },
    agents: { defaults: { sandbox: { docker: { dangerouslyAllowContainerNamespaceJoin: true } } } },
    commands: { useAccessGroups: false },
    channels: { telegram: { botToken: "12345:canary-of-the-bot" } },
  };
  await using gateway = await startTestGateway({ config });
  chmodSync(gateway.configPath, 0o644);
  const client = await gateway.connect();
  const before = await client.call("security.audit", { deep: true });
  expect(JSON.stringify(before)).not.toMatch(/canary|token-of-the-test-gateway/);
  expect(before).toMatchObject({ ok: false });
  const found = [`file-mode:${gateway.configPath}`, "redaction-off", `plaintext:${gateway.configPath}`];
  expect(ids(before)).toEqual(expect.arrayContaining(found));
  expect(ids(before).join()).not.toMatch(/cache-trace|NamespaceJoin/);
  const asking = before.findings.filter(({ asksFirst }: Json) => asksFirst).map(({ id }: Json) => id);
  expect(asking).toEqual(["commands-unguarded"]);

  const watcher = await gateway.connect();
  const { fixes, report } = await client.call("security.fix", { ids: found });
  expect(Object.fromEntries(fixes.map(({ id, done }: Json) => [id, done]))).toEqual({
    [`file-mode:${gateway.configPath}`]: true,
    "redaction-off": true,
    [`plaintext:${gateway.configPath}`]: false,
  });
  expect(ids(report)).not.toContain("redaction-off");
  expect(report.ok).toBe(true);
  await watcher.untilEvent("changed", ({ payload }) => payload.topics.includes("security"));
  expect(statSync(gateway.configPath).mode & 0o777).toBe(0o600);
  expect(readFileSync(gateway.configPath, "utf8")).toContain("canary-of-the-bot");
  expect(readdirSync(gateway.stateDir).some((name) => name.startsWith("openclaw.json.bak"))).toBe(true);
});

test("only those who may change everything see the list", async () => {
  await using gateway = await startTestGateway();
  const reader = await gateway.connect({ scopes: ["operator.read", "operator.write"] });
  await expect(reader.call("security.audit")).rejects.toThrow(/operator\.admin/);
  await expect(reader.call("security.fix", { ids: ["x"] })).rejects.toThrow(/operator\.admin/);
});
