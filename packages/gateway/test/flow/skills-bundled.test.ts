// The skills that come along: each is there when it can be used, is activated by a model, and what it says to do works here.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

let gateway: TestGateway;
let client: WireClient;
let workspace = "";

beforeAll(async () => {
  gateway = await startTestGateway({
    config: {
      agents: { defaults: { sandbox: { mode: "off" } } },
      tools: { exec: { security: "full", ask: "off" } },
      skills: { entries: { weather: { env: { WEATHER_URL: "http://weather.invalid" } } } },
    },
    env: { PATH: process.env["PATH"] ?? "" },
  });
  client = await gateway.connect();
  workspace = join(gateway.stateDir, "workspace");
  mkdirSync(workspace, { recursive: true });
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** What the tools of one turn answered, in order; the first call activates the skill. */
async function work(skill: string, ...calls: ReadonlyArray<readonly [string, Json]>): Promise<string[]> {
  const sessionKey = `agent:main:with-${skill}-${calls.length}`;
  const all = [["activate_skill", { name: skill }] as const, ...calls];
  gateway.model.script(...all.map(([name, args], at) => callTool(name, args, `c${at}`)), say("done"));
  expect(await client.agent(`do it`, { sessionKey })).toBe("done");
  const results = gateway.model.requests.at(-1)?.messages.filter(({ role }) => role === "toolResult") ?? [];
  return results.map((result) => textOf(result));
}

test("all of them are read without a complaint, under the names of their folders", async () => {
  const { skills, blocked } = await client.call("skills.status", {});
  const bundled = (skills as Json[]).filter((skill) => skill["bundled"]);
  expect(bundled.map(({ name }) => name).toSorted()).toEqual([
    "documents",
    "git",
    "notes",
    "reminders",
    "skill-writer",
    "weather",
  ]);
  expect(bundled.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(blocked).toEqual([]);
});

test("notes are written, and found again", async () => {
  const content = "# Shopping\n\n- [ ] bread\n";
  const [told, , found] = await work(
    "notes",
    ["write", { path: "notes/shopping.md", content }],
    ["exec", { command: 'grep -rin -- "bread" notes/' }],
  );
  expect(told).toContain("- [ ] text");
  expect(found).toContain("notes/shopping.md:3:- [ ] bread");
});

test("a reminder is a job", async () => {
  const job = {
    name: "call the dentist",
    schedule: { kind: "at", at: new Date(Date.now() + 86_400_000).toISOString() },
    sessionTarget: "isolated",
    payload: { kind: "agentTurn", message: "Remind them: call the dentist." },
  };
  const [told, added] = await work("reminders", ["cron", { action: "add", job }]);
  expect(told).toContain("`cron` with action `add`");
  expect(added).toContain("call the dentist");
  expect((await client.call("cron.list", {})).jobs).toMatchObject([{ name: "call the dentist" }]);
});

/** The programs this one needs are not part of every machine. */
const canUnzip = ["unzip", "python3"].every((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0);

test.skipIf(!canUnzip)("the text of an office file is printed by its own script", async () => {
  const folder = join(workspace, "letter");
  mkdirSync(join(folder, "word"), { recursive: true });
  const paragraphs = "<w:p><w:t>Dear &lt;Ann&gt;,</w:t></w:p><w:p><w:t>all the best &amp; more</w:t></w:p>";
  writeFileSync(join(folder, "word/document.xml"), `<w:document><w:body>${paragraphs}</w:body></w:document>`);
  execFileSync("python3", ["-m", "zipfile", "-c", join(workspace, "letter.docx"), join(folder, "word/")]);
  const [told = ""] = await work("documents");
  const script = /`sh (\S+\/office-text\.sh) FILE`/.exec(told)?.[1] ?? "";
  expect(existsSync(script)).toBe(true);
  const [, printed] = await work("documents", ["exec", { command: `sh ${script} letter.docx` }]);
  expect(printed).toContain("Dear <Ann>,\nall the best & more");
});

test("a commit is made as the skill for git says", async () => {
  const repository = join(workspace, "project");
  mkdirSync(repository);
  execFileSync("git", ["-C", repository, "init", "--quiet"]);
  writeFileSync(join(repository, "a.txt"), "a\n");
  const identity = "-c user.name=Ann -c user.email=ann@example.org";
  const [told, status] = await work(
    "git",
    ["exec", { command: "git -C project status --short --branch" }],
    ["exec", { command: `git -C project add -- a.txt && git -C project ${identity} commit --quiet -m 'Add a'` }],
  );
  expect(told).toContain("status --short --branch");
  expect(status).toContain("?? a.txt");
  expect(execFileSync("git", ["-C", repository, "log", "--oneline"], { encoding: "utf8" })).toContain("Add a");
});

test("weather is there only where a service is set, and its address is there only for its commands", async () => {
  const [told, printed] = await work("weather", ["exec", { command: "printf '%s' \"${WEATHER_URL#http://}\"" }]);
  expect(told).toContain("format=j1");
  expect(printed).toContain("weather.invalid");
  await using without = await startTestGateway({ env: { PATH: process.env["PATH"] ?? "" } });
  const { skills } = await (await without.connect()).call("skills.status", {});
  expect((skills as Json[]).find(({ name }) => name === "weather")).toMatchObject({ state: "missing" });
});

test("a skill that was written is one with the next turn", async () => {
  const content = "---\nname: greet\ndescription: Greets people.\n---\n\nSay hello.\n";
  const [told] = await work("skill-writer", ["write", { path: "skills/greet/SKILL.md", content }]);
  expect(told).toContain("skills/<name>/");
  expect(readFileSync(join(workspace, "skills/greet/SKILL.md"), "utf8")).toBe(content);
  const [greeting] = await work("greet");
  expect(greeting).toContain("Say hello.");
});
