// S-29: a secret is planted wherever there can be one, everything is used, and then all that came out is searched: for the
// secrets, for halves of them, and for other writings of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { textOf } from "@chela/sdk";
import { METHODS } from "@chela/sdk/protocol";
import { callTool, say } from "@chela/sdk/testing";
import type { Leak } from "../support/canaries/canaries.ts";
import { secretPaths } from "../support/canaries/canary-config.ts";
import {
  askRoutes,
  callMethods,
  failDeliveries,
  failModels,
  keep,
  misplaceSecrets,
  runTools,
  type Outputs,
} from "../support/canaries/canary-exercises.ts";
import { KEPT_PATHS, openCanaryStage, type CanaryStage } from "../support/canaries/canary-stage.ts";
import { filesBelow, mayHoldSecrets, openFiles } from "../support/canaries/canary-files.ts";
import { watchChildren } from "../support/durability/child-watch.ts";
import { startTestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import { WireClient, type Frame } from "../support/wire-client.ts";

/** Answers that hand out a new secret to the one who asked for it, and where in them it stands. */
const HANDED_OUT: Readonly<Record<string, readonly string[]>> = {
  connect: ["auth", "deviceToken"],
  "device.token.rotate": ["token"],
  "device.setup.create": ["setupCode"],
  "access.code": ["code"],
  "node.pair.approve": ["node", "token"],
};

/** Blocks of the configuration that say what is in the environment of a program of their own. */
const ENVIRONMENTS = [
  "secrets.providers.any.env.any",
  "agents.defaults.sandbox.docker.env.any",
  "agents.list[0].sandbox.docker.env.any",
];

const outputs: Outputs = new Map();
const called = new Map<string, string>();
const clients = new Set<WireClient>();
let stage: CanaryStage;
let refused: string[];
let bytes = 0;

beforeAll(async () => {
  const send = WireClient.prototype.send;
  vi.spyOn(WireClient.prototype, "send").mockImplementation(function (this: WireClient, frame: unknown) {
    clients.add(this);
    const { id, method } = frame as { id: string; method: string };
    called.set(id, method);
    send.call(this, frame);
  });
  stage = await openCanaryStage();
  using children = watchChildren();
  await failModels(stage);
  await runTools(stage);
  await failDeliveries(stage);
  await askRoutes(stage, outputs);
  const misused = await misplaceSecrets(stage, Object.values(stage.env).slice(2));
  refused = await callMethods(stage);
  const { gateway } = stage.scene;
  gateway.readLog();
  await gateway[Symbol.asyncDispose]();
  keep(outputs, "models", ...gateway.model.requests.map((request) => JSON.stringify(request)));
  keep(outputs, "arguments", ...children.seen.keys());
  keep(outputs, "environments", ...children.seen.values());
  clients.delete(misused);
  for (const client of clients) for (const frame of client.frames) keepFrame(frame);
  for (const file of filesBelow(stage.root)) keep(outputs, `file ${file}`, readFileSync(join(stage.root, file)));
}, 120_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await stage[Symbol.asyncDispose]();
});

/** A secret that was handed out is known from here on, and looked for everywhere but in this one answer. */
function keepFrame(frame: Frame): void {
  const way = frame.type === "event" ? `event ${frame.event}` : `answer ${called.get(frame.id)}`;
  const copy = structuredClone(frame);
  const place = frame.type === "res" ? HANDED_OUT[called.get(frame.id) ?? ""] : undefined;
  const holder = place?.slice(0, -1).reduce<unknown>((part, key) => Reflect.get(Object(part), key), copy.payload);
  const secret: unknown = place && Reflect.get(Object(holder), place.at(-1) ?? "");
  if (typeof secret === "string") {
    stage.canaries.know(`what ${way} handed out`, secret);
    Reflect.deleteProperty(Object(holder), place?.at(-1) ?? "");
  }
  keep(outputs, way, JSON.stringify(copy));
}

function leaksOf(isMeant: (way: string) => boolean): Array<Leak & { way: string }> {
  return [...outputs].flatMap(([way, all]) => {
    if (!isMeant(way)) return [];
    bytes += all.reduce((sum, { length }) => sum + length, 0);
    countCases("S-29", all.length);
    return all.flatMap((one) => stage.canaries.findIn(one).map((leak) => ({ way, ...leak })));
  });
}
/** Enough to see what is wrong. */
const some = <T>(list: readonly T[]): readonly T[] => list.slice(0, 8);

describe("S-29: everything is there:", () => {
  test("every place that the schema marks secret has a canary", () => {
    const planted = new Set(stage.canaries.planted);
    expect(secretPaths().filter((path) => !planted.has(path) && !KEPT_PATHS.includes(path))).toEqual([]);
    expect(planted.size).toBeGreaterThan(120);
  });

  test("every method was called, and did what it should", () => {
    const asked = new Set(called.values());
    expect(Object.keys(METHODS).filter((method) => !asked.has(method))).toEqual([]);
    expect(refused).toEqual([]);
  });

  test("every provider was asked with its own key", () => {
    const heard = stage.heard.map(({ path, headers }) => ({ path, found: stage.canaries.findIn(decoded(headers)) }));
    for (const [path, secrets] of Object.entries(stage.meantFor)) {
      const told = heard.filter((one) => one.path.startsWith(path)).flatMap(({ found }) => found);
      expect([path, new Set(told.map(({ secret }) => secret))]).toEqual([path, new Set(secrets)]);
    }
  });
});

/** Names and passwords are sent as base64. */
const decoded = (headers: string): string =>
  headers.replaceAll(/Basic ([A-Za-z0-9+/=]+)/g, (_, text: string) => Buffer.from(text, "base64").toString());

describe("S-29: no secret comes out", () => {
  test.for([
    ["to clients, in answers", /^answer /],
    ["to clients, in events", /^event /],
    ["over HTTP", /^HTTP /],
    ["to models", /^models$/],
  ] as const)("%s", ([, ways]) => {
    expect(some(leaksOf((way) => ways.test(way)))).toEqual([]);
  });

  test("in files, but those that are meant for them", () => {
    expect(
      outputs
        .keys()
        .filter((way) => way.startsWith("file "))
        .toArray().length,
    ).toBeGreaterThan(20);
    expect(some(leaksOf((way) => way.startsWith("file ") && !mayHoldSecrets(way.slice("file ".length))))).toEqual([]);
  });

  test("to other people of the machine: every file and folder is for this user alone", () => {
    expect(openFiles(stage.root)).toEqual([]);
  });

  test("to services, but the one it is for, and there in a header alone", () => {
    const wrong = stage.heard.flatMap(({ path, headers, body }) => {
      const meant = Object.entries(stage.meantFor).find(([start]) => path.startsWith(start))?.[1] ?? [];
      const inHeaders = stage.canaries.findIn(decoded(headers)).filter(({ secret }) => !meant.includes(secret));
      return [...inHeaders, ...stage.canaries.findIn(path), ...stage.canaries.findIn(body)];
    });
    countCases("S-29", stage.heard.length);
    expect(some(wrong)).toEqual([]);
  });

  test("to programs, but what the configuration puts into the environment of those programs", () => {
    const told = leaksOf((way) => way === "environments").filter(({ secret }) => !ENVIRONMENTS.includes(secret));
    expect(some(told)).toEqual([]);
    expect(some(leaksOf((way) => way === "arguments"))).toEqual([]);
    expect(outputs.get("arguments")?.length).toBeGreaterThan(5);
  });

  test("and what is searched for is found where it is meant to be", () => {
    const inConfig = leaksOf((way) => way.endsWith("state/openclaw.json.bak"));
    expect(inConfig.length).toBeGreaterThan(2);
    expect(bytes).toBeGreaterThan(1_000_000);
  });
});

test("S-29: a secret is found in every writing, and by its halves", () => {
  const { canaries } = stage;
  const secret = canaries.plant("the proof");
  const turned = [...secret].toReversed().join("");
  for (const shift of ["", "a", "ab"]) {
    for (const text of [
      secret,
      secret.toUpperCase(),
      secret.slice(0, 12),
      secret.slice(-12),
      turned,
      Buffer.from(secret).toString("hex").toUpperCase(),
      encodeURIComponent(secret),
      `%${Buffer.from(secret).toString("hex").match(/../g)?.join("%")}`,
      Buffer.from(`${shift}${secret}`).toString("base64"),
      Buffer.from(`${shift}${secret}`).toString("base64url"),
    ]) {
      expect([text, canaries.findIn(`${shift} ${text} and so on`).length > 0]).toEqual([text, true]);
    }
  }
  expect(canaries.findIn("nothing of the kind")).toEqual([]);
});

test("S-29: the log of a gateway that made its own token does not show it", async () => {
  await using gateway = await startTestGateway({ rawConfig: "{}" });
  const token = /[0-9a-f]{48}/.exec(readFileSync(gateway.configPath, "utf8"))?.[0] ?? "";
  expect(token).toHaveLength(48);
  const client = await gateway.connect({ token });
  await client.request("agent", { message: "hello", sessionKey: `${token}/x`, idempotencyKey: token });
  expect(gateway.readLog()).toContain("[redacted]");
  expect(gateway.readLog()).not.toContain(token);
});

test("S-29: a variable that names a folder is no secret, whatever it is called; others of such names are", async () => {
  const secret = "canary-in-the-environment-0123";
  await using gateway = await startTestGateway({
    env: { PWD: process.cwd(), SMTP_PASS: secret, SSH_AUTH_SOCK: "/tmp" },
  });
  const client = await gateway.connect();
  const path = join(process.cwd(), "a.txt");
  gateway.model.script(
    callTool("write", { path: "a.txt", content: `${path} ${secret}` }),
    callTool("read", { path: "a.txt" }, "r1"),
    say("done"),
  );
  await client.agent("where are we?");
  const seen = textOf(gateway.model.requests.at(-1)?.messages.at(-1) as never);
  expect(seen).toContain(path);
  expect(seen).not.toContain(secret);
});
