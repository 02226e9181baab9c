// S-21: no path and no id, however it is written, leads a method out of its place.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { METHODS, type MethodName } from "@chela/sdk/protocol";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { TEST_TOKEN } from "../support/in-process.ts";
import { METHOD_MEMORY } from "../support/security/method-cases.ts";
import { kindOf } from "../support/security/parameter-kinds.ts";
import { fillWith, findTexts, nameOf, shapeOf, type Shape, type Spot } from "../support/security/parameter-tree.ts";
import { countCases } from "../support/security/security-cases.ts";
import { connectNode } from "../support/test-node.ts";
import { CANARY, notesReads, openTraversalYard, type TraversalYard } from "../support/security/traversal-yard.ts";
import type { Json, ResponseFrame, WireClient } from "../support/wire-client.ts";

const CONFIG = {
  gateway: { auth: { mode: "token", token: TEST_TOKEN }, reload: { debounceMs: 1 } },
  agents: { defaults: { model: "scripted/test", sandbox: { mode: "off" }, memorySearch: METHOD_MEMORY } },
  models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }] } } },
  channels: { fake: { token: "t", dmPolicy: "open", allowFrom: ["*"] } },
};

interface Parameter {
  readonly method: MethodName;
  readonly shape: Shape;
  readonly spot: Spot;
}

const PARAMETERS: readonly Parameter[] = (Object.keys(METHODS) as MethodName[]).flatMap((method) => {
  const shape = shapeOf(METHODS[method].params());
  return findTexts(shape).map((spot) => ({ method, shape, spot }));
});
const written = ({ method, spot }: Parameter): string => `${method} ${spot.join(".")}`;

/** Where the operator may write any place at all; what they do there is theirs, and nobody else may call these. */
const OPERATOR_CHOOSES: Readonly<Record<string, string>> = {
  "agents.create workspace": "where an agent works",
  "agents.create agentDir": "where an agent's files are kept",
  "agents.update workspace": "where an agent works",
  "credentials.add file": "a file that holds a secret, which is never shown",
};
/** Shown to a person as it was written, and never opened. */
const ONLY_SHOWN = ["cwd", "resolvedPath", "systemRunPlan.cwd"].map((name) => `exec.approval.request ${name}`);
/** Places that a name is made from, which is kept apart from where the file lies. */
const ONLY_NAMES = [
  ...["agent", "chat.send", "sessions.send", "sessions.steer"].map((method) => `${method} attachments.[].fileName`),
  "message.action filename",
  "config.schema.lookup path",
];
/** Kept as it is, and looked at by whoever shows it: S-21 of routes asks for the picture. */
const KEPT_AS_WRITTEN = [
  "agents.create avatar",
  "agents.update avatar",
  "agents.update identity.avatar",
  "sessions.patch spawnedWorkspaceDir",
];

/** These write files, run turns or look at the whole machine each time: their parameters share the corpus between them. */
const COSTLY: readonly MethodName[] = [
  ...([
    "agents.create",
    "agents.update",
    "sessions.patch",
    "message.action",
    "agent",
    "chat.inject",
    "sessions.create",
  ] as const),
  ...(["hooks.enable", "hooks.disable", "config.apply", "config.patch", "security.fix", "credentials.add"] as const),
  ...(["people.put", "people.link", "exec.approval.request", "send"] as const),
];
/** How many share the corpus: places get all of it, names of things come in many methods, and these take long. */
const SHARES = { place: 1, thing: 4, costly: 16 };

/** Every n-th, so that no parameter gets what the one before it had; with time enough, all of them. */
function corpusFor({ method, spot }: Parameter, index: number): readonly string[] {
  if (process.env["CHELA_LONG"] === "1") return yard.traversals;
  const usual = kindOf(nameOf(spot)) === "place" ? SHARES.place : SHARES.thing;
  const shares = COSTLY.includes(method) ? SHARES.costly : usual;
  return yard.traversals.filter((_, at) => at % shares === index % shares);
}

/** What a call needs beside its required parameters to go all its way. */
const COMPANIONS: Partial<Record<MethodName, () => Json>> = {
  send: () => ({ message: "x" }),
  poll: () => ({ options: ["a", "b"] }),
  "message.action": () => ({
    action: "send",
    idempotencyKey: randomUUID(),
    channel: "fake",
    target: "alice",
    message: "x",
  }),
  "credentials.add": () => ({ value: "a-value-of-a-case" }),
  "exec.approval.request": () => ({ timeoutMs: 1 }),
  "exec.approval.waitDecision": () => ({ timeoutMs: 1 }),
  "exec.approval.resolve": () => ({ decision: "deny" }),
  "agents.create": () => ({ workspace: join(yard.stateDir, "workspaces", randomUUID()) }),
};
const SAMPLES: Readonly<Record<string, () => string>> = {
  agentId: () => "main",
  sessionKey: () => "agent:main:case",
  key: () => "agent:main:case",
  channel: () => "fake",
  to: () => "alice",
  content: () => "x",
  idempotencyKey: () => randomUUID(),
};

let yard: TraversalYard;
let stage: ChannelStage;
let node: WireClient;
beforeAll(async () => {
  yard = openTraversalYard(CONFIG);
  stage = await openChannelStage({ stateDir: yard.stateDir });
  await stage.client.agent("hello", { sessionKey: "agent:main:case" });
  node = (await connectNode(stage.gateway)).client;
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  yard[Symbol.dispose]();
});

test("of every text a method takes it is known whether it names a place", () => {
  const unknown = PARAMETERS.filter(({ spot }) => kindOf(nameOf(spot)) === undefined);
  expect(unknown.map(written)).toEqual([]);
  const listed = [...Object.keys(OPERATOR_CHOOSES), ...ONLY_SHOWN, ...ONLY_NAMES, ...KEPT_AS_WRITTEN];
  expect(listed.filter((one) => !PARAMETERS.some((parameter) => written(parameter) === one))).toEqual([]);
});

test("where any place may be written, only an administrator writes", () => {
  const methods = Object.keys(OPERATOR_CHOOSES).map((one) => one.split(" ")[0] as MethodName);
  expect(methods.filter((method) => METHODS[method].scope !== "operator.admin")).toEqual([]);
});

const ATTACKED = PARAMETERS.filter(
  (parameter) => kindOf(nameOf(parameter.spot)) !== "words" && !(written(parameter) in OPERATOR_CHOOSES),
);
const BY_METHOD = Map.groupBy(ATTACKED, ({ method }) => method);

test.for([...BY_METHOD])("%s leads nowhere else, whatever its parameters name", async ([method, parameters]) => {
  for (const parameter of parameters) {
    const texts = corpusFor(parameter, ATTACKED.indexOf(parameter));
    const mustRefuse =
      kindOf(nameOf(parameter.spot)) === "place" &&
      ![...ONLY_SHOWN, ...ONLY_NAMES, ...KEPT_AS_WRITTEN].includes(written(parameter));
    const answers = await askAll(
      method,
      texts.map((text) => callWith(parameter, text)),
    );
    countCases("S-21", answers.length);
    const leaking = answers.filter((answer) => JSON.stringify(answer).includes(CANARY));
    expect([written(parameter), leaking]).toEqual([written(parameter), []]);
    const taken = answers.flatMap(({ ok }, at) => (ok && mustRefuse ? [texts[at]] : []));
    expect([written(parameter), taken]).toEqual([written(parameter), []]);
  }
  expect(yard.findTraces()).toEqual([]);
});

test("this machine notes when a file is read, so that the traces above would be seen", () => {
  if (!notesReads()) process.stderr.write("\nNOT TESTED HERE: this file system does not note when a file was read.\n");
  expect(yard.traversals.length).toBeGreaterThan(80);
});

function callWith({ method, shape, spot }: Parameter, text: string): unknown {
  const sample = (name: string): unknown => SAMPLES[name]?.() ?? "x";
  const filled = fillWith(shape, spot, text, sample) as Json;
  return { ...COMPANIONS[method]?.(), ...filled, ...(method === "message.action" ? { action: "send" } : {}) };
}

/** Most calls may come at once; of those that change a lot only a few from one device. */
async function askAll(method: MethodName, calls: readonly unknown[]): Promise<ResponseFrame[]> {
  const spec = METHODS[method] as { readonly role?: string; readonly controlPlane?: boolean };
  if (!spec.controlPlane) {
    const client = spec.role === "node" ? node : stage.client;
    const answers = await Promise.all(calls.map((params) => client.request(method, params)));
    client.frames.length = 0;
    return answers;
  }
  const answers: ResponseFrame[] = [];
  for (const params of calls) {
    await using client = await stage.gateway.connect();
    answers.push(await client.request(method, params));
  }
  return answers;
}
