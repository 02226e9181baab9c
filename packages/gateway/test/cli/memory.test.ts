// `chela memory …`: a person asks what agents remember, looks whether it is well, and has things forgotten.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { say } from "@chela/sdk/testing";
import { runCommand, type CommandPlace } from "../support/stages/command-here.ts";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { METHOD_MEMORY } from "../support/security/method-cases.ts";

const plain = (text: string): string => text;
const MARKED = {
  bold: (text: string) => `*${text}*`,
  dim: plain,
  green: plain,
  yellow: plain,
  red: plain,
  cyan: plain,
};
const NARROW = { columns: 80, style: MARKED };

let gateway: TestGateway;
let workspace: string;
beforeAll(async () => {
  gateway = await startTestGateway({
    config: { agents: { defaults: { memorySearch: METHOD_MEMORY }, list: [{ id: "main" }, { id: "other" }] } },
  });
  workspace = join(gateway.stateDir, "workspace");
  mkdirSync(join(workspace, "memory"), { recursive: true });
  writeFileSync(join(workspace, "MEMORY.md"), "# Garden\n\nThe tomatoes need water every second evening.\n");
  writeFileSync(
    join(workspace, "memory", "2026-01-05.md"),
    `# Monday\n\nBooked the dentist for the twelfth, and asked ${"whether it hurts, ".repeat(30)}about the crown.\n`,
  );
  const client = await gateway.connect();
  gateway.model.script(say("Noted."), say("Good."), say("I see."));
  await client.agent("My sister is called Marta. I prefer oolong tea.");
  await client.agent("We decided to repaint the kitchen on 2026-02-01.");
  await client.agent("My neighbour is called Bruno.", { sessionKey: "agent:main:second" });
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function run(line: string, terminal: CommandPlace["terminal"] = {}): Promise<{ code: number; text: string }> {
  return runCommand({ stateDir: gateway.stateDir, port: gateway.gateway.port, terminal }, line);
}
async function ok(line: string, terminal: CommandPlace["terminal"] = {}): Promise<string> {
  const { code, text } = await run(line, terminal);
  expect([line, code, code === 0 ? "" : text]).toEqual([line, 0, ""]);
  return text;
}
const json = async (line: string) => JSON.parse(await ok(`${line} --json`));
const fits = (text: string, columns = 80): void =>
  expect(text.split("\n").filter((line) => line.replaceAll("*", "").length > columns)).toEqual([]);

describe("chela memory index", () => {
  it("reads what is new, and says what became of it", async () => {
    expect(await ok("memory index --agent main")).toBe("main: 2 notes in 2 pieces; 2 read, 2 new or changed.\n");
    expect(await ok("memory index --agent main")).toBe("main: 2 notes in 2 pieces; 0 read, 0 new or changed.\n");
    expect(await ok("memory index --agent main --force")).toBe(
      "main: 2 notes in 2 pieces; 2 read, 0 new or changed.\n",
    );
    const gone = join(workspace, "memory", "gone.md");
    writeFileSync(gone, "# Gone\n\nSoon.\n");
    expect(await ok("memory index --agent main")).toBe("main: 3 notes in 3 pieces; 1 read, 1 new or changed.\n");
    rmSync(gone);
    expect(await ok("memory index --agent main")).toBe(
      "main: 2 notes in 2 pieces; 0 read, 0 new or changed, 1 note gone.\n",
    );
  });

  it("looks after every agent unless one is named", async () => {
    const { agents } = await json("memory index");
    expect(agents.map(({ agentId }: { agentId: string }) => agentId)).toEqual(["main", "other"]);
  });
});

describe("chela memory status", () => {
  it("says how it is with each agent, on any terminal", async () => {
    const text = await ok("memory status --deep", { columns: 100 });
    fits(text, 100);
    expect(text).toMatch(
      /^main\n {2}Notes in +\S+workspace\n {2}Read +2 files in 2 pieces\n {2}Found by +words alone\n/,
    );
    expect(text).toMatch(/Embedding +does not work: \S/);
    expect(text).toMatch(/\n\nother\n {2}Notes in/);
    expect(text).toMatch(/ {2}Index +\S+main\.sqlite \([\d.]+ [KM]B\), up to date just now\n/);
  });

  it("gives programs the whole of it, with the trial when it was asked for", async () => {
    const { agents } = await json("memory status --agent main --deep --index");
    expect(agents).toMatchObject([{ agentId: "main", isOn: true, files: 2, embedding: { ok: false } }]);
    expect((await json("memory status --agent main")).agents[0]).not.toHaveProperty("embedding");
  });
});

describe("chela memory search", () => {
  it("shows place, score and the words that were looked for, in 80 columns", async () => {
    expect(await ok("memory search Tomatoes water", NARROW)).toBe(
      "1.00  MEMORY.md:1-3\n      # Garden The *tomatoes* need *water* every second evening.\n",
    );
    const long = await ok("memory search dentist", NARROW);
    fits(long);
    expect(long).toMatch(/^1\.00 {2}memory\/2026-01-05\.md:1-3\n {6}.*\*dentist\*/);
    expect(long.split("\n").length).toBeLessThanOrEqual(6);
  });

  it("finds a note that was written a moment ago", async () => {
    appendFileSync(join(workspace, "MEMORY.md"), "\nThe beehive is painted yellow.\n");
    expect(await ok("memory search beehive")).toContain("The beehive is painted yellow.");
  });

  it("takes what OpenClaw's scripts say", async () => {
    const found = await json("memory search --query tomatoes --max-results 1 --min-score 0.1 --agent main");
    expect(found).toMatchObject({ agentId: "main", results: [{ path: "MEMORY.md", source: "memory" }], mode: "text" });
    expect((await json("memory search --query tomatoes --agent other")).results).toEqual([]);
  });

  it("says so when nothing fits", async () => {
    expect(await ok("memory search zeppelin")).toMatch(/^Nothing was found\.\n/);
  });

  it.each([
    ["memory search", /^Say what to look for: chela memory search <words>$/],
    ["memory search x --min-score 2", /^--min-score needs a number from 0 to 1, not "2"\.$/],
    ["memory search x --min-score high", /from 0 to 1/],
    ["memory search x --max-results 0", /^--max-results goes from 1 to 100\.$/],
    ["memory facts --limit 501", /^--limit goes from 1 to 500\.$/],
    ["memory search x --agent nobody", /there is no agent "nobody"; there are: main, other/],
  ])("says what is wrong with `chela %s`", async (line, words) => {
    const { code, text } = await run(line);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(words) });
  });
});

describe("chela memory facts and forget", () => {
  it("show what was learned and where it was said, and forget it for good", async () => {
    const all = await ok("memory facts", NARROW);
    fits(all);
    expect(all).toMatch(
      /^My sister is called Marta\.\n {2}fact:\w+; entity: Marta; said in agent:main:main,\sjust\s+now/m,
    );
    expect(all).toMatch(/Forget one with: chela memory forget fact:<id>\n$/);
    const { facts, total } = await json("memory facts --about Marta");
    expect({ total, facts }).toMatchObject({ total: 1, facts: [{ subject: "Marta", sessionKey: "agent:main:main" }] });
    expect((await json("memory facts --session agent:main:second")).facts).toMatchObject([{ subject: "Bruno" }]);
    expect((await json("memory facts --kind preference --search oolong --limit 1")).facts).toHaveLength(1);

    expect(await ok(`memory forget fact:${facts[0].id} --yes`)).toMatch(
      /^Forgot \d+ facts?\b.*\. The conversations themselves are as they were\.\n$/,
    );
    expect(await ok("memory facts --about Marta")).toBe("Nothing like that is known.\n");
    await ok("memory rebuild --learned");
    expect(await ok("memory facts --about Marta")).toBe("Nothing like that is known.\n");
    expect(await ok("memory facts --search oolong")).toContain("oolong");
    expect(await ok("search Marta")).toContain("My sister is called Marta");

    expect(await json("memory forget session:agent:main:second --yes")).toMatchObject({ forgotten: { facts: 1 } });
    expect(await ok("memory forget person:Nobody at all --yes")).toBe(
      "Nothing like that was remembered. What was said until now will not be.\n",
    );
    expect(await ok("memory forget fact:0123 --yes")).toMatch(/^There is no such fact\. /);
  });

  it.each([
    ["memory forget Marta --yes", /^"Marta" does not say what to forget: write fact:<id>, person:<name>/],
    ["memory forget thing:Marta --yes", /"thing:Marta" does not say what to forget/],
    ["memory forget fact: --yes", /does not say what to forget/],
    ["memory forget subject:tea", /^Nobody is here to be asked: Forget what is known about tea[^]*Add --yes/],
  ])("is careful with `chela %s`", async (line, words) => {
    const { code, text } = await run(line);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(words) });
  });
});

describe("chela memory rebuild", () => {
  it("waits for its end and says what there is", async () => {
    expect(await ok("memory rebuild --agent main")).toMatch(
      /^main: made anew, 2 files in \d pieces; \d+ facts and \d+ episodes? from \d+ messages\.\n$/,
    );
    expect(await json("memory rebuild --agent main --notes")).toMatchObject({
      what: "notes",
      started: ["main"],
      agents: [{ agentId: "main", files: 2, isIndexing: false }],
    });
  });

  it("shows a person how far it is, and nothing of that to a program", async () => {
    const seen = await ok("memory rebuild --agent main", { columns: 80, isInteractive: true });
    const drawn = seen.split("\r\u001b[K");
    expect(drawn[1]).toMatch(/^(?:Reading|Learning from conversations): \d+ % \(\d+ of \d+\) \[[#-]+\]$/);
    expect(drawn.at(-1)).toMatch(/^main: made anew/);
    expect(await ok("memory rebuild --agent main")).not.toContain("\r");
    expect(await ok("memory rebuild --agent main --json", { isInteractive: true })).not.toContain("\r");
  });

  it("need not be waited for", async () => {
    expect(await ok("memory rebuild --agent main --no-wait")).toBe(
      "main: begun. `chela memory status` tells how far it is.\n",
    );
    const { code, text } = await run("memory rebuild --notes --learned");
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining("Say --notes or --learned") });
  });
});

it("chela memory doctor says whether all is well", async () => {
  expect(await ok("memory doctor --agent main")).toBe("main: the index is whole and agrees with the notes.\n");
  expect(await json("memory doctor --fix")).toMatchObject({
    agents: [
      { agentId: "main", ok: true, findings: [] },
      { agentId: "other", ok: true },
    ],
  });
});

it("says how to switch memory on where it is off, and how to start a gateway where none runs", async () => {
  await using off = await startTestGateway();
  const place = { stateDir: off.stateDir, port: off.gateway.port };
  expect(await runCommand(place, "memory index")).toEqual({
    code: 1,
    text: "No agent has a memory: it is switched off.\nSwitch it on with: chela config set agents.defaults.memorySearch.enabled true\n".trimEnd(),
  });
  expect((await runCommand(place, "memory status")).text).toMatch(
    /^main {2}memory is switched off \(memorySearch\.enabled\)\n/,
  );
  const { code, text } = await runCommand({ stateDir: off.stateDir }, "memory search x");
  expect({ code, text }).toEqual({
    code: 1,
    text: "No gateway answers at ws://127.0.0.1:9: start it with `chela gateway run`",
  });
});
