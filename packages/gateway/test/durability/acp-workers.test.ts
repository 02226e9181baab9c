// The gateway is killed while a worker is at work for it: the worker does not live on, and what it was asked is told as ended, once.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isAlive } from "../../src/base/processes.ts";
import { Household } from "../support/durability/child-gateway.ts";
import { eventually } from "../support/in-process.ts";
import { connectClient } from "../support/wire-client.ts";

const WORKER = new URL("../fixtures/acp-worker.mjs", import.meta.url).pathname;
const TOKEN = "token-of-a-gateway-that-is-killed-0123456789";

it("is ended with the next start, and nothing is asked twice", async () => {
  await using home = new Household();
  const journal = join(home.stateDir, "journal");
  const config = {
    gateway: { auth: { mode: "token", token: TOKEN } },
    acp: { agents: { helper: { command: process.execPath, args: [WORKER], env: { JOURNAL: journal } } } },
    agents: {
      defaults: { sandbox: { mode: "off" } },
      list: [{ id: "main", default: true, runtime: { type: "acp", acp: { agent: "helper", cwd: home.stateDir } } }],
    },
  };
  writeFileSync(join(home.stateDir, "openclaw.json"), JSON.stringify(config));
  const lines = () => readFileSync(journal, "utf8").trimEnd().split("\n");
  const pids = () => lines().flatMap((line) => (/^(started|child) /.test(line) ? [Number(line.split(" ")[1])] : []));
  const ask = { sessionKey: "agent:main:main", idempotencyKey: "killed" };

  const first = await home.startGateway();
  const one = await connectClient({ url: `ws://127.0.0.1:${first.port}`, token: TOKEN });
  await one.agent("start a child");
  await one.call("chat.send", { ...ask, message: "please hang" });
  await eventually("the worker is asked", () => lines().some((line) => line.includes("hang")) || undefined);
  await first.program.kill("SIGKILL");
  const left = pids();
  expect(left).toHaveLength(2);

  const second = await home.startGateway();
  const two = await connectClient({ url: `ws://127.0.0.1:${second.port}`, token: TOKEN });
  const over = await two.call("agent.wait", { runId: "killed", timeoutMs: 20_000 });
  expect(over).toMatchObject({ status: "error", error: expect.stringContaining("not asked again") });
  await eventually("nothing of it lives", () => left.every((pid) => !isAlive(pid)) || undefined);
  expect(lines().filter((line) => line.includes("hang"))).toHaveLength(1);
  await Promise.all([one, two].map((client) => client.close()));
});
