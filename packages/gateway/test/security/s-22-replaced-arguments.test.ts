// S-22: what a command was given by name, and what is put under that name before it is opened, are two things.
import { execFileSync } from "node:child_process";
import { renameSync, rmSync, symlinkSync, writeFileSync, appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { isRefusal, openExecStage, type ExecStage } from "../support/stages/exec-stage.ts";
import type { Json } from "../support/wire-client.ts";

const CANARY = "canary-of-the-gateway";
const ALLOWED = ["cat", "head", "tail", "grep", "wc", "paste", "nl", "od", "base64", "tac", "sha256sum"];
const real = (name: string): string =>
  execFileSync("sh", ["-c", `readlink -f "$(command -v ${name})"`])
    .toString()
    .trim();

let stage: ExecStage;
const at = (name: string): string => join(stage.workspace, name);
const exec = (command: string): { name: string; arguments: Json } => ({
  name: "exec",
  arguments: { command, background: true },
});
const process_ = (args: Json): { name: string; arguments: Json } => ({ name: "process", arguments: args });
const idOf = (result: ToolResultMessage | undefined): string =>
  String((result?.details as Json | undefined)?.["sessionId"]);

beforeAll(async () => {
  // Nobody is told of ends: a turn about one would answer in the place of the next.
  stage = await openExecStage({ tools: { exec: { notifyOnExit: false }, loopDetection: { enabled: false } } });
  mkdirSync(join(stage.gateway.stateDir, "identity"), { recursive: true });
  writeFileSync(join(stage.gateway.stateDir, "identity", "canary"), `${CANARY}\n`);
  await stage.setAllowList(ALLOWED.map((name) => ({ pattern: real(name) })));
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => {
  for (const name of ["t", "sub", "other", "kept"]) rmSync(at(name), { recursive: true, force: true });
  writeFileSync(at("t"), "as it was\n");
  mkdirSync(at("sub"));
  writeFileSync(at("sub/canary"), "as it was\n");
});

/** What it printed in the end, when this happened after it had begun and before it went on. */
async function runWith(command: string, meanwhile: () => void): Promise<string> {
  const session = `agent:main:${command.replaceAll(/\W+/g, "-")}-${Math.random().toString(36).slice(2)}`;
  const asked = stage.questions.length;
  const [started] = await stage.call([exec(command)], session);
  expect(stage.questions.length).toBe(asked);
  const sessionId = idOf(started);
  expect(started && textOf(started)).toContain("still running");
  meanwhile();
  await stage.call([process_({ action: "write", sessionId, data: "typed\n", eof: true })], session);
  for (let polls = 0; polls < 20; polls += 1) {
    const [polled] = await stage.call([process_({ action: "poll", sessionId, timeout: 20_000 })], session);
    if ((polled?.details as Json | undefined)?.["status"] !== "running") break;
  }
  const [log] = await stage.call([process_({ action: "log", sessionId })], session);
  return log ? textOf(log) : "";
}

const leadTo = (name: string, target: string): void => {
  rmSync(at(name), { recursive: true, force: true });
  symlinkSync(join(stage.gateway.stateDir, target), at(name));
};

describe("S-22: what is not shown, since it was put there while the command ran", () => {
  test.for(["cat - t", "tail -n 9 - t", "head -n 9 - t", "grep -h . - t", "nl - t", "sha256sum - t"])(
    "behind a file: %s",
    async (command) => {
      const said = await runWith(command, () => leadTo("t", "identity/canary"));
      expect(said).toMatch(/workspace\/t was replaced while the command ran/);
      expect(said).not.toContain(CANARY);
    },
  );

  test.for(["cat - sub/canary", "cat - ./sub/../sub/canary", "cat - missing", "cat - | base64"])(
    "behind a folder, a name that was not there, or a pipe: %s",
    async (command) => {
      const whole = command === "cat - | base64" ? "cat - t | base64" : command;
      const said = await runWith(whole, () => {
        leadTo("sub", "identity");
        leadTo("missing", "identity/canary");
        leadTo("t", "identity/canary");
      });
      expect(said).toMatch(/was replaced while the command ran/);
      expect(said).not.toContain(CANARY);
      expect(said).not.toContain(Buffer.from(CANARY).toString("base64").slice(0, 12));
      rmSync(at("missing"), { force: true });
    },
  );

  test("nor when all is put back before anybody looks", async () => {
    const said = await runWith("cat - t", () => {
      renameSync(at("t"), at("kept"));
      symlinkSync(join(stage.gateway.stateDir, "identity/canary"), at("t"));
      rmSync(at("t"));
      renameSync(at("kept"), at("t"));
    });
    expect(said).toMatch(/t was replaced/);
  });
});

test("S-22: whoever goes through links in a folder that agents write is asked about, for links may come later", async () => {
  const [through, beside] = await stage.run([{ command: "grep -R kept sub" }, { command: "grep -r kept sub" }]);
  expect(through && isRefusal(through)).toBe(true);
  expect(beside && isRefusal(beside)).toBe(false);
});

describe("S-22: what goes on as usual", () => {
  test.for([
    ["a file is written", () => appendFileSync(at("t"), "more\n")],
    ["another file is made beside it", () => writeFileSync(at("other"), "x")],
  ] as const)("%s", async ([, meanwhile]) => {
    const said = await runWith("cat - t", meanwhile);
    expect(said).toContain("as it was");
    expect(said).not.toContain("replaced");
  });
});
