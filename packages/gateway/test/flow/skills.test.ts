// Skills in a whole gateway: told to the model, used in a conversation, called by people, given their secrets and nothing else.
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

const KEY = "key-of-the-skill-4711-abcdefgh";
let gateway: TestGateway;
let client: WireClient;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: {
      agents: {
        defaults: { sandbox: { mode: "off" } },
        list: [
          { id: "main", default: true },
          { id: "bare", skills: [] },
        ],
      },
      tools: { exec: { security: "full", ask: "off" } },
      skills: {
        allowBundled: ["notes"],
        entries: {
          courier: { apiKey: KEY, env: { COURIER_PLACE: "Bern", LD_PRELOAD: "/evil.so" } },
          off: { enabled: false },
        },
      },
    },
  });
  client = await gateway.connect();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const fresh = (agent = "main") => `agent:${agent}:skills-${randomUUID()}`;
const prompt = () => gateway.model.requests.at(-1)?.system ?? "";
const lastResult = () => {
  const result = gateway.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
  return result ? textOf(result) : "";
};

function put(path: string, head: string, body = "Do it."): string {
  const file = join(gateway.stateDir, path, "SKILL.md");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `---\n${head}\n---\n\n${body}\n`);
  return file;
}

interface Indexed {
  readonly skillsSnapshot: Record<string, unknown>;
  readonly systemPromptReport: { readonly skills: object };
}

/** What OpenClaw's file says of a conversation. */
function indexOf(sessionKey: string): Indexed {
  const path = join(gateway.stateDir, "agents/main/sessions/sessions.json");
  const all = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, Indexed>) : {};
  return all[sessionKey] ?? { skillsSnapshot: {}, systemPromptReport: { skills: {} } };
}

async function ask(text: string, sessionKey: string, ...answers: Parameters<TestGateway["model"]["script"]>) {
  gateway.model.script(...(answers.length > 0 ? answers : [say("fine")]));
  return client.agent(text, { sessionKey });
}

describe("the list in the prompt", () => {
  test("stays the same to the byte, and has a new skill with the next turn of the same conversation", async () => {
    const sessionKey = fresh();
    await ask("hello", sessionKey);
    const first = prompt();
    expect(first).toContain("<name>notes</name>");
    await ask("again", sessionKey);
    expect(prompt()).toBe(first);
    const file = put("workspace/skills/tea", "name: tea\ndescription: Makes tea & <good> tea");
    await ask("and now", sessionKey);
    expect(prompt()).toContain(
      `<name>tea</name>\n    <description>Makes tea &amp; &lt;good&gt; tea</description>\n    <location>${file}</location>`,
    );
    const { sessions } = await client.call("sessions.list", {});
    expect(JSON.stringify(sessions)).not.toContain("Makes tea");
    const { skillsSnapshot, systemPromptReport } = await eventually("the index of sessions is written", () => {
      const written = indexOf(sessionKey);
      return JSON.stringify(written).includes("tea") ? written : undefined;
    });
    expect(prompt()).toContain(skillsSnapshot["prompt"]);
    expect(skillsSnapshot).toMatchObject({ skills: [{ name: "tea" }, { name: "notes" }], version: expect.any(Number) });
    expect(systemPromptReport.skills).toMatchObject({ entries: [{ name: "notes" }, { name: "tea" }] });
    rmSync(dirname(file), { recursive: true });
    await ask("gone", sessionKey);
    expect(prompt()).toBe(first);
  });

  test("has what lies in any place, the nearest first, and nothing that cannot be used", async () => {
    put("workspace/skills/group/nested", "name: nested\ndescription: from the workspace");
    put("skills/nested", "name: nested\ndescription: from the state directory");
    put(".agents/skills/mine", "name: mine\ndescription: my own");
    put("elsewhere/linked", "name: linked\ndescription: behind a link");
    symlinkSync(join(gateway.stateDir, "elsewhere/linked"), join(gateway.stateDir, ".agents/skills/linked"));
    put("skills/off", "name: off\ndescription: switched off");
    put(
      "skills/lacks",
      `name: lacks\ndescription: lacks\nmetadata: {"openclaw":{"requires":{"bins":["no-such-program"]}}}`,
    );
    put("skills/hidden", "name: hidden\ndescription: hidden\ndisable-model-invocation: true");
    await ask("hello", fresh());
    const names = [...prompt().matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name);
    expect(names).toEqual(["linked", "mine", "nested", "notes"]);
    expect(prompt()).toContain("from the workspace");
    await ask("hello", fresh("bare"));
    expect(prompt()).not.toContain("available_skills");
    expect(gateway.model.requests.at(-1)?.tools.map(({ name }) => name)).not.toContain("activate_skill");
  });
});

describe("a skill in use", () => {
  test("is told once, with what lies in its folder, and can be read wherever it lies", async () => {
    const file = put(".agents/skills/baker", "name: baker\ndescription: Bakes", "Run {baseDir}/scripts/bake.sh.");
    mkdirSync(join(dirname(file), "scripts"));
    writeFileSync(join(dirname(file), "scripts/bake.sh"), "#!/bin/sh\necho baked\n");
    const sessionKey = fresh();
    await ask("bake", sessionKey, callTool("activate_skill", { name: "baker" }), say("ok"));
    expect(lastResult()).toContain(`<skill_content name="baker">\nRun ${dirname(file)}/scripts/bake.sh.`);
    expect(lastResult()).toContain("<file>scripts/bake.sh</file>");
    await ask("again", sessionKey, callTool("activate_skill", { name: "baker" }), say("ok"));
    expect(lastResult()).toContain("active already");
    await ask("read", sessionKey, callTool("read", { path: join(dirname(file), "scripts/bake.sh") }), say("ok"));
    expect(lastResult()).toContain("echo baked");
    await ask("no", sessionKey, callTool("activate_skill", { name: "nothing" }), say("ok"));
    expect(lastResult()).toContain('There is no skill "nothing". There are: ');
  });

  test("opens its own folder and no other, also not through links", async () => {
    const file = put("skills/lockpick", "name: lockpick\ndescription: Looks around");
    writeFileSync(join(gateway.stateDir, "treasure"), "gold");
    symlinkSync(join(gateway.stateDir, "treasure"), join(dirname(file), "way-out"));
    for (const path of [join(dirname(file), "way-out"), `${dirname(file)}/../../treasure`, gateway.configPath]) {
      await ask("look", fresh(), callTool("read", { path }), say("ok"));
      expect(lastResult()).not.toContain("gold");
      expect(lastResult()).not.toContain("apiKey");
    }
    await ask("use it", fresh(), callTool("activate_skill", { name: "lockpick" }), say("ok"));
    expect(lastResult()).toContain("way-out is a link that leads out of its folder");
    rmSync(dirname(file), { recursive: true });
  });

  test("gives its secrets to commands of its conversation alone, and to nobody's eyes", async () => {
    put("skills/courier", `name: courier\ndescription: Brings\nmetadata: {"openclaw":{"primaryEnv":"COURIER_KEY"}}`);
    const print = callTool("exec", { command: 'printf \'%s|%s|%s\' "${#COURIER_KEY}" "$COURIER_PLACE" "$LD_PRELOAD"' });
    const sessionKey = fresh();
    await ask("before", sessionKey, print, say("ok"));
    expect(lastResult()).toContain("0||");
    await ask("use it", sessionKey, callTool("activate_skill", { name: "courier" }), say("ok"));
    await ask("print", sessionKey, print, say("ok"));
    expect(lastResult()).toContain(`${KEY.length}|Bern|`);
    expect(lastResult()).not.toContain("evil");
    await ask("another", fresh(), print, say("ok"));
    expect(lastResult()).toContain("0||");
    await ask("show", sessionKey, callTool("exec", { command: "printenv COURIER_KEY" }), say("ok"));
    expect(lastResult()).not.toContain(KEY);
    expect(process.env["COURIER_KEY"]).toBeUndefined();
    expect(gateway.readLog()).not.toContain(KEY);
    const { records } = await client.call("audit.list", { actions: ["credential"] });
    const used = (records as Array<{ target: string }>).filter(({ target }) => target === "skills.entries.courier");
    expect(used.length).toBeGreaterThan(0);
    expect(JSON.stringify(used)).toContain("COURIER_KEY");
    expect(JSON.stringify(used)).not.toContain(KEY);
  });

  test("is active as well when its file was read, and after a summary its text stands there again", async () => {
    const file = put(
      "skills/courier",
      `name: courier\ndescription: Brings\nmetadata: {"openclaw":{"primaryEnv":"COURIER_KEY"}}`,
      "Ring twice.",
    );
    const sessionKey = fresh();
    await ask("read it", sessionKey, callTool("read", { path: file }), say("ok"));
    await ask("print", sessionKey, callTool("exec", { command: "printf '%s' \"${#COURIER_KEY}\"" }), say("ok"));
    expect(lastResult()).toContain(String(KEY.length));
    for (let at = 0; at < 3; at += 1) await ask(`more ${"words and words ".repeat(4000)}`, sessionKey);
    gateway.model.script(say("What was said: the skill was read."));
    expect(await client.agent("/compact", { sessionKey })).toMatch(/Compacted/);
    await ask("go on", sessionKey);
    const told =
      gateway.model.requests
        .at(-1)
        ?.messages.map((message) => textOf(message))
        .join("\n") ?? "";
    expect(told).toContain("What was said");
    expect(told).toContain('<skill_content name="courier">\nRing twice.');
  });
});

describe("people", () => {
  test("use a skill by /skill and by its own word, and list them", async () => {
    put("skills/tea-time", "name: tea-time\ndescription: Makes tea\ndisable-model-invocation: true", "Boil water.");
    const sessionKey = fresh();
    expect(await ask("/skill tea-time for two", sessionKey, say("here you are"))).toBe("here you are");
    const asked = gateway.model.requests.at(-1)?.messages.findLast(({ role }) => role === "user");
    expect(asked && textOf(asked)).toMatch(/use the skill "tea-time"[\s\S]*Boil water\.[\s\S]*for two$/);
    const other = fresh();
    expect(await ask("/tea_time for three", other, say("three cups"))).toBe("three cups");
    const again = gateway.model.requests.at(-1)?.messages.findLast(({ role }) => role === "user");
    expect(again && textOf(again)).toMatch(/Boil water\.[\s\S]*for three$/);
    expect(await client.agent("/skill", { sessionKey })).toContain("/tea_time – Makes tea");
    expect(await client.agent("/skill nothing", { sessionKey })).toContain("There is no skill nothing");
    gateway.model.script();
  });

  test("call a tool by a skill's word, without a model", async () => {
    put("skills/where", "name: where\ndescription: Where am I\ncommand-dispatch: tool\ncommand-tool: session_status");
    const sessionKey = fresh();
    const before = gateway.model.requests.length;
    expect(await client.agent("/where", { sessionKey })).toContain("Session");
    expect(gateway.model.requests).toHaveLength(before);
  });
});

test("what every user of the machine may write is not used", async () => {
  chmodSync(dirname(put("skills/anybodys", "name: anybodys\ndescription: x")), 0o777);
  await ask("hello", fresh());
  expect(prompt()).not.toContain("anybodys");
});
