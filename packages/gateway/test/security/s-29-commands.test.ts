// S-29: every command is run where secrets are everywhere; none is printed, none is in a file that is not meant for it, and
// nobody else can read what was written.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/table/command-table.ts";
import { NOT_RUN, runCommand, runCommands, type CommandRun } from "../support/canaries/canary-commands.ts";
import { failModels, runTools } from "../support/canaries/canary-exercises.ts";
import { filesBelow, mayHoldSecrets, openFiles } from "../support/canaries/canary-files.ts";
import { openCanaryStage, type CanaryStage } from "../support/canaries/canary-stage.ts";
import { TEST_TOKEN } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";

/** Commands that show or write a lot, and so must have done it. */
const WORKING = [
  "status",
  "logs",
  "config get",
  "config schema",
  "credential list",
  "credential add",
  "credential rotate",
  "credential import",
  "credential export",
  "audit list",
  "audit export",
  "backup create",
  "export",
  "import",
  "models status",
  "channels status",
  "agent",
  "message send",
];

let stage: CanaryStage;
let runs: CommandRun[];

beforeAll(async () => {
  stage = await openCanaryStage();
  await failModels(stage);
  await runTools(stage);
  const { gateway } = stage.scene;
  await writeCodes(stage);
  const door = { OPENCLAW_GATEWAY_PORT: String(gateway.gateway.port), OPENCLAW_GATEWAY_TOKEN: TEST_TOKEN };
  const typed = stage.canaries.plant("what somebody typed");
  runs = await runCommands({ ...stage.env, ...door }, join(stage.root, "written"), typed);
  await gateway[Symbol.asyncDispose]();
  // Not while a gateway runs.
  runs.push(await runCommand("import", ["--from", join(stage.root, "written", "exported"), "--json"], stage.env));
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

test("S-29: every command is run that can be", () => {
  const ran = new Set(runs.map(({ name }) => name));
  const names = COMMANDS.flatMap(({ path, load }) => (load ? [path.join(" ")] : []));
  expect(names.filter((name) => !ran.has(name) && !Object.hasOwn(NOT_RUN, name))).toEqual([]);
  expect(runs.filter(({ code }) => code === "hangs").map(({ name }) => name)).toEqual([]);
  const done = new Set(runs.filter(({ code }) => code === 0).map(({ name }) => name));
  expect(WORKING.filter((name) => !done.has(name))).toEqual([]);
});

test("S-29: no command prints a secret", () => {
  const found = runs.flatMap(({ name, text }) => stage.canaries.findIn(text).map((leak) => ({ name, ...leak })));
  countCases("S-29", runs.length);
  expect(found.slice(0, 8)).toEqual([]);
});

/** Clears the screen, sets the title, changes the colour in two ways, turns the order round and hides letters. */
const CODES = "\u001b[2J\u001b]0;title\u0007\u001b[35m\u009b5m\rtelltale\u202e\u2066\u200b\u200d\ufeff\u2028";

/** Wherever somebody else may write something that commands show. */
async function writeCodes({ scene: { gateway, client, operated } }: CanaryStage): Promise<void> {
  await gateway.connect({ client: { displayName: `${CODES} screen`, mode: "ui" } });
  const away = { headers: { "x-forwarded-for": "203.0.113.9" } };
  await gateway.dial({ ...away, client: { displayName: `${CODES} waits` } }).tryConnect();
  await client.call("sessions.patch", { key: "agent:main:cli", label: `${CODES} label` });
  await client.agent(`hello ${CODES}`, { sessionKey: "agent:main:cli" });
  await client.call("system-event", { text: `${CODES} event`, host: CODES });
  await operated.fake.say(`hello ${CODES}`, { from: "somebody", name: CODES });
  gateway.gateway.log.warn(`${CODES} happened`, { who: CODES });
}

test("S-29: no command hands codes of strangers to the terminal", () => {
  const ours = new RegExp(String.raw`\u001b\[(?:1|2|22|31|32|33|36|39)m`, "g");
  const codes = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\n\t]]/v;
  const found = runs.flatMap(({ name, text }) => {
    const at = text.replace(ours, "").search(codes);
    return at < 0
      ? []
      : [{ name, around: JSON.stringify(text.replace(ours, "").slice(Math.max(0, at - 30), at + 30)) }];
  });
  countCases("S-29", runs.length);
  expect(found).toEqual([]);
  const shown = new Set(runs.filter(({ text }) => text.includes("telltale")).map(({ name }) => name));
  const expected = ["devices list", "sessions", "logs", "system presence", "search", "status", "pairing list"];
  expect(expected.filter((name) => !shown.has(name))).toEqual([]);
});

test("S-29: no command writes one where it does not belong", () => {
  const files = filesBelow(stage.root);
  const found = files
    .filter((file) => !mayHoldSecrets(file))
    .flatMap((file) => stage.canaries.findIn(readFileSync(join(stage.root, file))).map((leak) => ({ file, ...leak })));
  countCases("S-29", files.length);
  expect(files).toEqual(expect.arrayContaining(["written/audit.jsonl", "written/backup.sqlite"]));
  expect(found.slice(0, 8)).toEqual([]);
});

test("S-29: a backup, an export, an import and a new key leave nothing that others can read", () => {
  expect(openFiles(stage.root)).toEqual([]);
});
