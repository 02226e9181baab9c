// `chela acp` as an editor starts it: frames and nothing else on stdout, an end with the input, and a foreign client that drives it.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Household, Program } from "../support/durability/child-gateway.ts";
import { checkFrames } from "../support/stages/editor-stage.ts";

const ACPX = new URL("../../../../node_modules/acpx/dist/cli.js", import.meta.url).pathname;
const LAUNCHER = new URL("../../bin/chela.mjs", import.meta.url).pathname;

let home: Household;
beforeAll(async () => {
  home = new Household();
  await home.startGateway();
});
afterAll(() => home[Symbol.asyncDispose]());

const request = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id, method, params });

it("writes frames and nothing else, answers what is no frame, and ends with the input", async () => {
  const agent = home.start(["acp", "--session", "agent:main:editor", "--verbose"]);
  const asked = [
    request(1, "initialize", { protocolVersion: 1, clientCapabilities: {} }),
    request(2, "session/new", { cwd: home.stateDir, mcpServers: [] }),
    request(3, "session/prompt", { sessionId: "agent:main:editor", prompt: [{ type: "text", text: "say hello" }] }),
  ];
  for (const line of asked.slice(0, 2)) agent.type(line);
  agent.type("this is no frame");
  await agent.until("stdout", /"code":-32700[^]*"id":2,"result"|"id":2,"result"[^]*"code":-32700/);
  agent.type(asked[2] ?? "");
  await agent.until("stdout", /"stopReason":"end_turn"/);
  agent.endInput();
  const { code, stdout, stderr } = await agent.finished();
  expect(code).toBe(0);
  expect(stderr).toContain("not JSON");
  const lines = stdout.trimEnd().split("\n");
  expect(lines.some((line) => line.includes('"agent_message_chunk"'))).toBe(true);
  checkFrames([...asked.map((line) => `> ${line}`), ...lines.map((line) => `< ${line}`)]);
});

it("says what is wrong when no gateway runs, to whoever asks", async () => {
  const agent = home.start(["acp", "--url", "ws://127.0.0.1:9", "--token", "none"]);
  agent.type(request(1, "session/new", { cwd: home.stateDir, mcpServers: [] }));
  const [, message] = await agent.until("stdout", /"message":"([^"]+)"/);
  expect(message).toMatch(/gateway/i);
  agent.endInput();
  expect((await agent.finished()).code).toBe(0);
});

it("is driven by acpx, which knows nothing of it", async () => {
  const folder = join(home.stateDir, "project");
  mkdirSync(folder);
  const command = `${process.execPath} ${LAUNCHER} acp`;
  const env = { ...process.env, HOME: join(home.stateDir, "home"), OPENCLAW_STATE_DIR: home.stateDir };
  const args = [ACPX, "--cwd", folder, "--agent", command, "--format", "quiet", "exec", "say from afar"];
  const acpx = new Program(spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] }));
  const { code, stdout, stderr } = await acpx.finished();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain("from afar");
});
