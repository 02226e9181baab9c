// A configuration that cannot be used: the gateway starts on the last good one, says where, and never touches the file.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { answerText, questionText, startModelServer } from "../support/durability/durability-model.ts";
import { createRandom } from "../support/durability/durability-random.ts";
import {
  baseConfig,
  createWorkshop,
  eventually,
  TOKEN,
  type StateDirectory,
} from "../support/durability/durability-workshop.ts";
import type { WireClient } from "../support/wire-client.ts";

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

/** A directory whose gateway ran once with a good configuration. */
async function createUsedState(): Promise<StateDirectory> {
  const state = await workshop.createState();
  const gateway = workshop.start(state);
  await gateway.connect();
  await gateway.kill("SIGTERM");
  return state;
}

const agentName = async (client: WireClient): Promise<unknown> => (await client.call("agents.list")).agents[0].name;

test("a file cut in half starts the last good version, names the line, and is taken up once it is repaired", async () => {
  const random = createRandom();
  const state = await createUsedState();
  const whole = readFileSync(state.configPath, "utf8");
  const half = whole.slice(0, 20 + random.below(whole.length - 40));
  writeFileSync(state.configPath, half);

  const gateway = workshop.start(state);
  const client = await gateway.connect();
  const line = half.split("\n").length;
  expect(gateway.output).toMatch(/openclaw\.json is not used: line \d+: .*the last good version is in use/);
  expect(Number(/not used: line (\d+)/.exec(gateway.output)?.[1])).toBeGreaterThanOrEqual(line - 1);
  expect(Number(/not used: line (\d+)/.exec(gateway.output)?.[1])).toBeLessThanOrEqual(line);
  expect(await client.agent(questionText("q-on-last-good"))).toBe(answerText("q-on-last-good"));
  expect(readFileSync(state.configPath, "utf8")).toBe(half);
  // Changing a value must not write over what the user typed.
  const { hash } = await client.call("config.get");
  const change = { raw: '{"ui":{"seamColor":"#112233"}}', baseHash: hash };
  expect((await client.request("config.patch", change)).ok).toBe(false);
  expect(readFileSync(state.configPath, "utf8")).toBe(half);

  const repaired = {
    ...baseConfig(model.baseUrl),
    agents: { defaults: { model: "paced/paced" }, list: [{ id: "main", name: "Repaired" }] },
  };
  writeFileSync(state.configPath, JSON.stringify(repaired));
  await eventually("the repaired file is in use", async () => (await agentName(client)) === "Repaired");
  expect(await client.agent(questionText("q-repaired"))).toBe(answerText("q-repaired"));
});

test("a file that breaks while the gateway runs changes nothing, and says where it is broken", async () => {
  const state = await workshop.createState();
  const gateway = workshop.start(state);
  const client = await gateway.connect();
  writeFileSync(state.configPath, '{\n  "gateway": {\n    "port": "many"\n');
  await eventually("it is told", () => /openclaw\.json is not used: line \d+/.test(gateway.output));
  expect(await client.agent(questionText("q-goes-on"))).toBe(answerText("q-goes-on"));
});

test("a first start on a broken file uses the defaults and a token of its own, and leaves the file alone", async () => {
  const state = await workshop.createState();
  const broken = '{\n  // mine\n  "gateway": {\n    "auth": { "token": "mine"\n';
  writeFileSync(state.configPath, broken);
  const gateway = workshop.start(state);
  const token = await eventually("a token is made", () => {
    try {
      return readFileSync(join(state.path, "gateway-token"), "utf8").trim();
    } catch {
      return undefined;
    }
  });
  await gateway.connect({ token });
  expect(gateway.output).toMatch(/openclaw\.json is not used: line \d+: .*the defaults are in use/);
  await gateway.kill("SIGTERM");
  expect(readFileSync(state.configPath, "utf8")).toBe(broken);
});

test("a directory in the place of the file is named, and the last good version is used", async () => {
  const state = await createUsedState();
  rmSync(state.configPath);
  mkdirSync(state.configPath);
  const gateway = workshop.start(state);
  const client = await gateway.connect({ token: TOKEN });
  expect(gateway.output).toMatch(/openclaw\.json is not a file/);
  expect(await client.agent(questionText("q-directory"))).toBe(answerText("q-directory"));
});

test("a key that nobody knows is reported with the one that was meant, and everything else is used", async () => {
  const state = await workshop.createState({ config: { agnts: { list: [] }, logging: { lvel: "debug" } } });
  const before = readFileSync(state.configPath, "utf8");
  const gateway = workshop.start(state);
  const client = await gateway.connect();
  expect(gateway.output).toMatch(/line \d+: agnts: .*agents/);
  expect(gateway.output).toMatch(/line \d+: logging\.lvel: .*level/);
  expect(await client.agent(questionText("q-unknown-key"))).toBe(answerText("q-unknown-key"));
  await gateway.kill("SIGTERM");
  expect(readFileSync(state.configPath, "utf8")).toBe(before);
});

test("the command that checks the file tells the line and ends with an error", async () => {
  const state = await workshop.createState();
  expect((await workshop.run(state, "config", "validate")).code).toBe(0);
  writeFileSync(state.configPath, '{\n  "gateway": {\n    "port": 12\n');
  const { code, output } = await workshop.run(state, "config", "validate");
  expect(code).toBe(1);
  expect(output).toMatch(/line 4/);
});
