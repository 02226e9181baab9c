// A gateway whose machine has only programs that write down how they were called, and a person who answers every question.
import { chmodSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { callTools, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../in-process.ts";
import type { Json, WireClient } from "../wire-client.ts";

export interface ExecStage extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly client: WireClient;
  readonly bin: string;
  readonly workspace: string;
  /** What the person says to a question, by its subject. */
  answer: (request: Json) => "allow-once" | "allow-always" | "deny";
  /** Every question so far. */
  readonly questions: Json[];
  /** Makes programs that only write down how they were called. */
  addRecorders(names: Iterable<string>): void;
  /** The programs that ran since the last time, each as its name and arguments. */
  takeRuns(): string[][];
  setAllowList(entries: readonly Json[]): Promise<void>;
  /** Has the model run these commands, in one conversation of its own; gives one result for each. */
  run(calls: readonly Json[]): Promise<ToolResultMessage[]>;
  /** Has the model call these tools, one after the other, in a conversation that is named or its own. */
  call(calls: readonly ToolCallWanted[], sessionKey?: string): Promise<ToolResultMessage[]>;
}

interface ToolCallWanted {
  readonly name: string;
  readonly arguments: Json;
}

const END_OF_RUN = "\u001e";
/** A turn takes two hundred calls; a conversation that is too long would be compacted. */
const CALLS_AT_ONCE = 100;

export async function openExecStage(config: Json = {}): Promise<ExecStage> {
  const root = mkdtempSync(join(tmpdir(), "chela-exec-"));
  const bin = join(root, "bin");
  const record = join(root, "record");
  const recorder = join(root, "recorder");
  mkdirSync(bin);
  writeFileSync(recorder, `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" '${END_OF_RUN}' >> '${record}'\n`);
  chmodSync(recorder, 0o755);
  const gateway = await startTestGateway({
    config: {
      agents: { defaults: { model: "scripted/test", sandbox: { mode: "off" } } },
      tools: {
        exec: { pathPrepend: [bin], safeBinTrustedDirs: [bin] },
        loopDetection: { enabled: false },
      },
      ...config,
    },
  });
  const client = await gateway.connect();
  const workspace = join(gateway.stateDir, "workspace");
  mkdirSync(workspace, { recursive: true });
  const stage: ExecStage = {
    gateway,
    client,
    bin,
    workspace,
    answer: () => "deny",
    questions: [],
    addRecorders(names) {
      for (const name of names) if (!existsSync(join(bin, name))) linkSync(recorder, join(bin, name));
    },
    takeRuns() {
      const text = existsSync(record) ? readFileSync(record, "utf8") : "";
      rmSync(record, { force: true });
      return text
        .split(`${END_OF_RUN}\0`)
        .slice(0, -1)
        .map((run) => run.split("\0").slice(0, -1));
    },
    async setAllowList(entries) {
      const { hash } = await client.call("exec.approvals.get");
      const file = { version: 1, agents: { main: { allowlist: entries } } };
      await client.call("exec.approvals.set", { file, baseHash: hash });
    },
    async run(calls) {
      const results: ToolResultMessage[] = [];
      for (let at = 0; at < calls.length; at += CALLS_AT_ONCE) {
        const some = calls.slice(at, at + CALLS_AT_ONCE).map((args) => ({ name: "exec", arguments: args }));
        results.push(...(await runTogether(stage, some, `agent:main:${randomUUID()}`)));
      }
      return results;
    },
    async call(calls, sessionKey = `agent:main:${randomUUID()}`) {
      const results: ToolResultMessage[] = [];
      for (const call of calls) results.push(...(await runTogether(stage, [call], sessionKey)).slice(-1));
      return results;
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return stage;
}

async function runTogether(
  stage: ExecStage,
  calls: readonly ToolCallWanted[],
  sessionKey: string,
): Promise<ToolResultMessage[]> {
  const { gateway, client } = stage;
  const runId = randomUUID();
  gateway.model.script(callTools(calls.map((call, index) => ({ id: `call_${index}`, ...call }))), say("done"));
  await client.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
  const answered = new Set<string>();
  await client.until("the end of the turn", () => {
    for (const { payload } of client.eventsOf("exec.approval.requested")) {
      if (payload.request.sessionKey !== sessionKey || answered.has(payload.id)) continue;
      answered.add(payload.id);
      stage.questions.push(payload.request);
      client.send({
        type: "req",
        id: randomUUID(),
        method: "exec.approval.resolve",
        params: { id: payload.id, decision: stage.answer(payload.request) },
      });
    }
    return client.eventsOf("chat", runId).find(({ payload }) => payload.state !== "delta");
  });
  // What was looked through is let go: every frame that comes is a reason to look through all of them again.
  client.frames.length = 0;
  const messages = gateway.model.requests.at(-1)?.messages ?? [];
  return messages.filter((message): message is ToolResultMessage => message.role === "toolResult");
}

export const isRefusal = (result: ToolResultMessage): boolean =>
  result.isError && /not run|no program|not allowed|refused|cannot|zero byte|nothing was run/i.test(textOf(result));
