// What a gateway of OpenClaw 2026.3.23 answered and told, recorded on its wire, is what clients made for it find here.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { textOf, type ModelEvent, type ModelProvider, type ModelRequest } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { EventFrame, Json, WireClient } from "../support/wire-client.ts";

interface Recorded {
  readonly name: string;
  readonly method: string;
  readonly params: Json;
  readonly by?: "follower";
  readonly code?: string;
  readonly message?: string;
  readonly fields?: readonly string[];
  /** Fields by kind of event, as far as they differ from those of the call before. */
  readonly events?: Readonly<Record<string, readonly string[] | "as before">>;
}

const FILE = new URL("../fixtures/openclaw-2026.3.23-wire.json", import.meta.url);
const { calls } = JSON.parse(readFileSync(FILE, "utf8")) as { calls: Recorded[] };

/** Why a field is not here, or only sometimes. */
const EXPLAINED: ReadonlyArray<readonly [RegExp, string]> = [
  [/childSessions/, "who spawned whom is told by the child"],
  [/responseId$/, "the model of the test gives its answers no ids"],
  [/^message\.usage\.cost\.(input|output|cacheRead|cacheWrite)$/, "the history tells the sum"],
  [/(^|\.)(origin\.|deliveryContext\.|lastChannel$|systemSent$|abortedLastRun$)/, "known when the first turn is over"],
  [
    /(^|\.)(status|startedAt|endedAt|runtimeMs|estimatedCostUsd)$/,
    "there when a turn is over, not in the middle of it",
  ],
  [/^archived$/, "nothing is cut off: a compacted conversation needs no copy"],
  [/^(hint|hintPath|children\[\]\.hint.*|children\[\]\.(type|hintPath)|schema\..*)$/, "the schema is our own"],
  [/\.tags$|hint\./, "hints are our own"],
  [/^aggregates|^totals|^daily/, "counted otherwise"],
  [
    /^sessions\[\]\.(channel|thinkingLevel|parentSessionKey)$|^jobs\[\]\.delivery\.to$/,
    "of what the recording did besides",
  ],
  [/(^|\.)(label|displayName)$/, "of sessions that were given a name"],
  [/^(session\.)?thinkingLevel$/, "kept when the turn is over"],
  [/^(session\.)?channel$/, "a channel that is only named is not where the conversation is led"],
  [/compactionCount$/, "counted from the first compaction on"],
  [/^messages\[\]\.errorMessage$/, "told by `failure`, too"],
];
/** Wording is our own where the code is the same; these are what clients look for. */
const SAME_WORDS =
  /^(session not found|config schema path|key required|label already|system provenance|unknown parent)/;

/** Does what the words ask for, as the model of the recording did. */
const model: ModelProvider = {
  id: "scripted",
  async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    const last = request.messages.at(-1);
    const words = last ? textOf(last) : "";
    if (last?.role === "toolResult") return yield* say(`tool said: ${words.slice(0, 40)}`);
    const [, status] = /FAIL (\d+)/.exec(words) ?? [];
    if (status) return yield { kind: "failure", failure: { reason: "bad-request", message: status, retry: "never" } };
    const [, tool, rest = ""] = /CALL (\w+) (.*)/.exec(words) ?? [];
    if (!tool) return yield* say(/SAY (.*)/.exec(words)?.[1] ?? "echo");
    const [, name = "path", value = ""] = /(\w+)="?([^"]+)"?/.exec(rest) ?? [];
    yield* callTool(tool, { [name]: value }, randomUUID());
  },
};

let gateway: TestGateway;
let caller: WireClient;
let follower: WireClient;
const known = new Map<string, readonly string[]>();
beforeAll(async () => {
  const models = [{ id: "mock-1", name: "Mock" }];
  gateway = await startTestGateway({
    config: {
      agents: { defaults: { model: "mock/mock-1" } },
      models: { providers: { mock: { baseUrl: "http://127.0.0.1:9", models } } },
      tools: { exec: { security: "full", ask: "off" } },
    },
    providers: { mock: model },
  });
  caller = await gateway.connect();
  follower = await gateway.connect();
});
afterAll(() => gateway[Symbol.asyncDispose]());

test.for(calls)("$name", async (recorded) => {
  const client = recorded.by === "follower" ? follower : caller;
  const from = [caller.frames.length, follower.frames.length] as const;
  const needsKey =
    ["agent", "chat.send", "send", "poll"].includes(recorded.method) && Object.keys(recorded.params).length > 0;
  const params = { ...(needsKey ? { idempotencyKey: randomUUID() } : {}), ...recorded.params };
  const { error, payload } = await client.request(recorded.method, params);
  if (recorded.code !== undefined) {
    expect(error?.code).toBe(recorded.code);
    if (SAME_WORDS.test(recorded.message ?? "")) expect(error?.message).toBe(recorded.message);
    return;
  }
  expect(error).toBeUndefined();
  expect(missing(recorded.fields ?? [], fieldsOf(payload))).toEqual([]);
  // The end of a turn comes last: by then all the rest is there.
  const told = Object.entries(recorded.events ?? {}).toSorted(([one], [other]) => rank(one) - rank(other));
  for (const [kind, fields] of told) {
    const wanted = fields === "as before" ? (known.get(kind) ?? []) : fields;
    known.set(kind, wanted);
    const [hearer, start] = kind.startsWith("session") ? [follower, from[1]] : [caller, from[0]];
    const found = (): string[] | undefined => {
      const of = hearer.frames
        .slice(start)
        .filter((one) => one.type === "event" && kindOf(one) === kind) as EventFrame[];
      return of.length > 0 ? of.flatMap((one) => fieldsOf(one.payload)) : undefined;
    };
    expect([kind, missing(wanted, await hearer.until(kind, found))]).toEqual([kind, []]);
  }
});

function rank(kind: string): number {
  return /^sessions\.changed:(end|error)$/.test(kind) ? 0 : 1;
}

function missing(wanted: readonly string[], found: readonly string[]): string[] {
  const here = new Set(found);
  return wanted.filter((field) => !here.has(field) && !EXPLAINED.some(([explained]) => explained.test(field)));
}

function fieldsOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, `${path}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const field = path === "" ? key : `${path}.${key}`;
    return [field, ...fieldsOf(one, field)];
  });
}

function kindOf({ event, payload }: EventFrame): string {
  if (event === "agent") return `agent:${payload.stream}:${payload.data.phase ?? ""}`;
  if (event === "chat") return `chat:${payload.state}`;
  if (event === "sessions.changed") return `sessions.changed:${payload.reason ?? payload.phase}`;
  if (event === "session.message") return `session.message:${payload.message.role}`;
  return event === "cron" ? `cron:${payload.action}` : event;
}
