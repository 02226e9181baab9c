// S-22: somebody swaps files for links while the gateway reads and writes: what lies outside is never read and never changed.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callTools, say } from "@chela/sdk/testing";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { createStateDirectory, startTestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

const CANARY = "canary22-of-a-file-outside";
/** Enough of it to change it, and too little to be taken for it. */
const PART = "canary22-of";
/** Of a file with a second name inside: its content may be told, since that name is that file, but not changed. */
const LINKED = "words of a file with two names";
const OWN = "own words";
/** Rounds, unless there is time for a minute of each. */
const ROUNDS = 4;
const LONG_MS = process.env["CHELA_LONG"] === "1" ? 60_000 : 0;

let root: string;
const outside = (...names: string[]): string => join(root, "outside", ...names);
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "chela-race-")));
  mkdirSync(outside("deep"), { recursive: true });
  for (const name of ["secret.txt", "deep/secret.txt", "AGENTS.md"]) writeFileSync(outside(name), CANARY);
  writeFileSync(outside("linked.txt"), LINKED);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Everything out there, as it must stay. */
const pictureOutside = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(outside(), { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [path, lstatSync(path).isFile() ? readFileSync(path, "utf8") : "folder"]),
  );

/** Lets pairs of names change places until its input ends. */
const RACER = `
  const { renameSync, rmSync } = require("node:fs");
  const pairs = JSON.parse(process.argv[1]);
  const put = (from, to) => {
    for (let tries = 0; tries < 50; tries++) {
      try { return renameSync(from, to); }
      // Somebody has made something of that name in the gap, or has put it elsewhere.
      catch (error) {
        if (error.code === "ENOENT") return;
        try { rmSync(to, { recursive: true, force: true }); } catch {}
      }
    }
  };
  process.stdin.on("end", () => process.exit(0)).resume();
  const again = () => {
    for (let i = 0; i < 20; i++)
      for (const [one, other] of pairs) { put(one, one + ".aside"); put(other, one); put(one + ".aside", other); }
    setImmediate(again);
  };
  again();
  process.stdout.write("running");
`;

async function whileRacing(cwd: string, pairs: ReadonlyArray<readonly [string, string]>, work: () => Promise<void>) {
  const racer = spawn(process.execPath, ["-e", RACER, JSON.stringify(pairs)], {
    cwd,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(racer, "exit");
  await once(racer.stdout, "data");
  const end = performance.now() + LONG_MS;
  try {
    for (let round = 0; round < ROUNDS || performance.now() < end; round++) await work();
  } finally {
    racer.stdin.end();
    expect(await exit).toEqual([0, null]);
  }
}

const patch = (...lines: string[]): Json => ({ input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });

/** One call of every way a tool reads or writes a file, at names that are being swapped. */
function callsOf(round: string): Array<{ name: string; arguments: Json }> {
  const files = ["sub/secret.txt", "file.txt", "hard.txt", "sub/deep/secret.txt"];
  return files.flatMap((path) => [
    { name: "read", arguments: { path } },
    { name: "attach", arguments: { path } },
    { name: "image", arguments: { image: path, prompt: "what is it" } },
    { name: "message", arguments: { action: "send", channel: "fake", target: "alice", message: "x", media: path } },
    { name: "write", arguments: { path, content: OWN } },
    { name: "edit", arguments: { path, oldText: OWN, newText: `${OWN} ` } },
    { name: "edit", arguments: { path, oldText: PART, newText: "changed" } },
    { name: "write", arguments: { path: `sub/new-${round}.txt`, content: OWN } },
    { name: "write", arguments: { path: `sub/${round}/new.txt`, content: OWN } },
    { name: "apply_patch", arguments: patch(`*** Add File: sub/added-${round}.txt`, "+x") },
    { name: "apply_patch", arguments: patch(`*** Delete File: ${path}`) },
    { name: "apply_patch", arguments: patch(`*** Update File: ${path}`, "@@", `-${LINKED}`, "+changed") },
    { name: "write", arguments: { path, content: OWN } },
  ]);
}

test("no tool, no file of the prompt and no method reads or changes what a link suddenly leads to", async () => {
  const models = [{ id: "test", name: "Test", input: ["text", "image"] }];
  await using stage = await openChannelStage({
    config: {
      models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models } } },
      agents: { defaults: { model: "scripted/test", imageModel: "scripted/test", sandbox: { mode: "off" } } },
      tools: { loopDetection: { enabled: false } },
    },
  });
  const workspace = join(stage.gateway.stateDir, "workspace");
  await stage.client.chat("hello");
  const inside = (name: string): string => join(workspace, name);
  mkdirSync(inside("sub/deep"), { recursive: true });
  for (const name of ["sub/secret.txt", "sub/deep/secret.txt", "file.txt", "hard-own.txt"])
    writeFileSync(inside(name), OWN);
  symlinkSync(outside(), inside("link"));
  symlinkSync(outside("secret.txt"), inside("link.txt"));
  linkSync(outside("linked.txt"), inside("hard.txt"));
  const prompts = ["AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md"];
  for (const name of prompts) {
    writeFileSync(inside(name), `# ${OWN}\n`);
    symlinkSync(outside("AGENTS.md"), inside(`${name}.link`));
  }
  const before = pictureOutside();
  const pairs = [
    ["sub", "link"],
    ["file.txt", "link.txt"],
    ["hard.txt", "hard-own.txt"],
    ...prompts.map((name) => [name, `${name}.link`] as const),
  ] as const;
  const told: string[] = [];
  await whileRacing(workspace, pairs, async () => {
    const calls = callsOf(randomUUID().slice(0, 8));
    stage.model.script(callTools(calls.map((call, index) => ({ id: `c${index}`, ...call }))), say("done"));
    await stage.client.chat("go", { sessionKey: `agent:main:${randomUUID()}` });
    told.push(...(await askMethods(stage, prompts)));
    countCases("S-22", calls.length + prompts.length * 2);
  });
  expect(pictureOutside()).toEqual(before);
  expect(JSON.stringify([stage.model.requests, told])).not.toContain(CANARY);
  expect(stage.model.requests.length).toBeGreaterThan(ROUNDS);
  const sent = stage.fake.sent.flatMap(({ content }) => (content.kind === "media" ? [content.media] : []));
  expect(sent.filter(({ path }) => readFileSync(path, "utf8").includes(CANARY))).toEqual([]);
  const results = stage.model.requests.flatMap(({ messages }) => messages).filter(({ role }) => role === "toolResult");
  expect(results.length).toBeGreaterThan(ROUNDS * 10);
});

async function askMethods({ client }: ChannelStage, names: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(
    names.flatMap((name) => [
      client.request("agents.files.get", { agentId: "main", name }),
      client.request("agents.files.set", { agentId: "main", name, content: `# ${OWN}\n` }),
      client.request("agents.files.list", { agentId: "main" }),
    ]),
  );
  client.frames.length = 0;
  return answers.map((answer) => JSON.stringify(answer));
}

test("what the gateway keeps is written beside its place and put there: a link is replaced, and nobody sees the half of it", async () => {
  using state = createStateDirectory();
  // The configuration is not among them: where its owner made it a link, it is kept at the place that leads to.
  const kept = {
    "exec-approvals.json": { version: 1 },
    "devices/paired.json": {},
    "devices/pending.json": {},
    "cron/jobs.json": { version: 1, jobs: [] },
  };
  for (const [name, content] of Object.entries(kept)) {
    mkdirSync(dirname(join(state.path, name)), { recursive: true });
    writeFileSync(outside(name.replaceAll("/", "-")), JSON.stringify(content));
    symlinkSync(outside(name.replaceAll("/", "-")), join(state.path, name));
  }
  const before = pictureOutside();
  await using gateway = await startTestGateway({ stateDir: state.path });
  const strangers: string[] = [];
  const watch = new AbortController();
  const watching = watchTemporaries(state.path, strangers, watch.signal);
  try {
    for (let round = 0; round < ROUNDS * 3; round++) {
      await using client = await gateway.connect();
      const { hash: baseHash } = await client.call("config.get");
      await client.call("config.patch", {
        raw: JSON.stringify({ ui: { seamColor: `#00000${round % 10}` } }),
        baseHash,
      });
      const { hash } = await client.call("exec.approvals.get");
      await client.call("exec.approvals.set", { file: { version: 1 }, baseHash: hash });
      await client.call("cron.add", { schedule: "every 1h", message: "look" });
      await client.agent("hello", { sessionKey: `agent:main:${round}` });
      countCases("S-22", 4);
    }
  } finally {
    watch.abort();
    await watching;
  }
  expect(pictureOutside()).toEqual(before);
  expect(strangers).toEqual([]);
});

/** Files on their way to their place, that anybody but the owner could open, or that were there before. */
async function watchTemporaries(folder: string, strangers: string[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const name of readdirSync(folder).filter((one) => one.endsWith(".tmp"))) {
      const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (stats && (!stats.isFile() || stats.nlink > 1 || (stats.mode & 0o077) !== 0)) strangers.push(name);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
