// S-21: no path and no id, however it is written, leads a tool out of its workspace or a route out of its folder.
import { randomUUID } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { callTools, say } from "@chela/sdk/testing";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { listDoorRoutes } from "../support/security/door-routes.ts";
import { openDoorStage } from "../support/security/door-stage.ts";
import { TEST_TOKEN } from "../support/in-process.ts";
import { METHOD_MEMORY } from "../support/security/method-cases.ts";
import { kindOf } from "../support/security/parameter-kinds.ts";
import { fillWith, findTexts, nameOf, type Shape, type Spot } from "../support/security/parameter-tree.ts";
import { countCases } from "../support/security/security-cases.ts";
import { TOOLS } from "../support/security/security-surfaces.ts";
import { traversalsTo } from "../support/security/traversal-corpus.ts";
import { CANARY, openTraversalYard, type TraversalYard } from "../support/security/traversal-yard.ts";
import type { Json } from "../support/wire-client.ts";

const CONFIG = {
  gateway: { auth: { mode: "token", token: TEST_TOKEN } },
  agents: {
    defaults: {
      model: "scripted/test",
      imageModel: "scripted/test",
      sandbox: { mode: "off" },
      memorySearch: METHOD_MEMORY,
    },
  },
  models: {
    providers: {
      scripted: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test", input: ["text", "image"] }] },
    },
  },
  channels: { fake: { token: "t", dmPolicy: "open", allowFrom: ["*"] } },
  commands: { ownerAllowFrom: ["fake:alice"] },
  tools: {
    loopDetection: { enabled: false },
    web: { search: { provider: "searxng", searxng: { baseUrl: "http://127.0.0.1:9" } } },
  },
};

/** What a call needs to go all its way. */
const COMPANIONS: Readonly<Record<string, Json>> = {
  edit: { oldText: "a", newText: "b" },
  process: { action: "poll" },
  cron: { action: "run" },
  message: { action: "send", message: "x" },
  subagents: { action: "kill" },
  // A worker, of which there is none: a helper that began would take the words meant for the next turn.
  sessions_spawn: { task: "x", runtime: "acp" },
  sessions_send: { message: "x" },
  image: { prompt: "what is it" },
};
/** A command may go wherever its approval lets it, and waits for one: S-15 and S-16 look at those. The path of a setting is none of a file. */
const ELSEWHERE = ["exec workdir", "exec node", "gateway path"];
/** Offered only where a node is connected, which S-35 looks at, or where an editor is, whose places the flow tests of ACP try. */
const NOT_HERE = ["nodes", "editor_edit", "editor_plan", "editor_read", "editor_run", "editor_write"];

/** A turn takes two hundred. */
const CALLS_AT_ONCE = 180;

describe("tools", () => {
  let yard: TraversalYard;
  let stage: ChannelStage;
  let offered: ReadonlyArray<{ readonly name: string; readonly parameters: Shape }>;
  beforeAll(async () => {
    yard = openTraversalYard(CONFIG);
    stage = await openChannelStage({ stateDir: yard.stateDir });
    await stage.ask("hello");
    offered = (stage.model.requests[0]?.tools ?? []) as unknown as typeof offered;
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    yard[Symbol.dispose]();
  });
  const spots = (): Array<{ tool: string; shape: Shape; spot: Spot }> =>
    offered.flatMap(({ name, parameters }) =>
      findTexts(parameters).map((spot) => ({ tool: name, shape: parameters, spot })),
    );

  test("are all here, and of every text they take it is known whether it names a place", () => {
    const names = offered.map(({ name }) => name);
    expect([...names, ...NOT_HERE].toSorted()).toEqual(Object.keys(TOOLS).toSorted());
    const unknown = spots().filter(({ spot }) => kindOf(nameOf(spot)) === undefined);
    expect(unknown.map(({ tool, spot }) => `${tool} ${spot.join(".")}`)).toEqual([]);
  });

  /** What leads out of the workspace by the rules of paths, or by a link. */
  const leadsOut = (text: string): boolean =>
    text.includes("\0") ||
    /(?:^|\/)(?:link\.txt|folder|MEMORY\.md)(?:\/|$)/.test(text) ||
    !`${resolve(yard.workspace, text)}/`.startsWith(`${yard.workspace}/`);

  async function callAll(calls: ReadonlyArray<{ name: string; arguments: Json }>): Promise<ToolResultMessage[]> {
    const results: ToolResultMessage[] = [];
    for (let at = 0; at < calls.length; at += CALLS_AT_ONCE) {
      const some = calls.slice(at, at + CALLS_AT_ONCE);
      stage.model.script(callTools(some.map((call, index) => ({ id: `c${index}`, ...call }))), say("done"));
      await stage.client.chat("go", { sessionKey: `agent:main:${randomUUID()}` });
      stage.client.frames.length = 0;
      const messages = stage.model.requests.findLast(
        ({ messages: all }) => all.at(-1)?.role === "toolResult",
      )?.messages;
      results.push(...(messages ?? []).filter((one): one is ToolResultMessage => one.role === "toolResult"));
    }
    countCases("S-21", results.length);
    return results;
  }

  test("lead nowhere else, whatever they are told", async () => {
    const attempts = spots().flatMap(({ tool, shape, spot }, index) => {
      const kind = kindOf(nameOf(spot));
      if (kind === "words" || ELSEWHERE.includes(`${tool} ${spot.join(".")}`)) return [];
      const texts = kind === "place" ? yard.traversals : yard.traversals.filter((_, at) => at % 12 === index % 12);
      return texts.map((text) => {
        const filled = fillWith(shape, spot, text, () => "x") as Json;
        return {
          tool,
          text,
          isPlace: kind === "place",
          args: { ...filled, ...COMPANIONS[tool], ...picked(filled, spot) },
        };
      });
    });
    const results = await callAll(attempts.map(({ tool, args }) => ({ name: tool, arguments: args })));
    expect(results.length).toBe(attempts.length);
    const wrong = attempts.flatMap(({ tool, text, isPlace }, at) => {
      const result = results[at] as ToolResultMessage;
      const isTaken = isPlace && leadsOut(text) && !result.isError;
      const isTold = JSON.stringify(result).includes(CANARY);
      return isTaken || isTold ? [`${tool} ${JSON.stringify(text)}: ${textOf(result).slice(0, 80)}`] : [];
    });
    expect(wrong).toEqual([]);
    expect(yard.findTraces()).toEqual([]);
    expect(stage.fake.sent.filter(({ content }) => content.kind === "media")).toEqual([]);
  });

  test("that take a whole patch lead nowhere else by the paths in it", async () => {
    const forms: ReadonlyArray<(path: string) => string> = [
      (path) => `*** Add File: ${path}\n+x`,
      (path) => `*** Delete File: ${path}`,
      (path) => `*** Update File: ${path}\n@@\n-${CANARY}\n+x`,
      (path) => `*** Update File: own.txt\n*** Move to: ${path}\n@@\n-own\n+x`,
    ];
    // Two forms for each path; its neighbours get the others.
    const calls = yard.traversals.flatMap((path, at) =>
      forms
        .filter((_, index) => index % 2 === at % 2)
        .map((form) => ({
          name: "apply_patch",
          arguments: { input: `*** Begin Patch\n${form(path)}\n*** End Patch` },
        })),
    );
    writeFileSync(join(yard.workspace, "own.txt"), "own\n");
    const results = await callAll(calls);
    const leaks = results.filter((result) => JSON.stringify(result).includes(CANARY) && !result.isError);
    expect(leaks).toEqual([]);
    expect(yard.findTraces()).toEqual([]);
  });
});

/** The text that is tried stays, whatever else a call needs. */
function picked(filled: Json, [first = ""]: Spot): Json {
  return { [first]: filled[first] };
}

test("no route answers with a file from elsewhere, however its address is written", async () => {
  await using stage = await openDoorStage();
  const { stateDir, pageRoot } = stage.gateway;
  const workspace = join(stateDir, "workspace");
  const target = join(stateDir, "secret.txt");
  writeFileSync(target, CANARY);
  mkdirSync(join(pageRoot, "assets"), { recursive: true });
  symlinkSync(target, join(pageRoot, "assets", "link.txt"));
  symlinkSync(target, join(workspace, "link.txt"));
  const traversals = traversalsTo(target, [pageRoot, join(pageRoot, "assets"), workspace], ["link.txt"]);
  const folders = new Set(listDoorRoutes().flatMap(({ path }) => [`${path.split("?")[0]}/`, `${dirname(path)}/`]));
  const places = [...folders].map((folder) => folder.replaceAll(/\/+/g, "/"));
  const headers = { authorization: `Bearer ${TEST_TOKEN}` };
  const cases = places.flatMap((place, at) =>
    traversals
      .filter((_, index) => places.length < 6 || index % 3 === at % 3 || ["/", "/assets/", "/avatar/"].includes(place))
      .flatMap((text) => [
        place + sendable(text),
        `${place}?file=${encodeURIComponent(text)}&path=${encodeURIComponent(text)}`,
      ]),
  );
  countCases("S-21", cases.length);
  const wrong = await stage.findWrong(cases, async (path) => {
    const { text, status } = await stage.ask({ path, headers });
    return { expected: [false, true], got: [text.includes(CANARY), status < 500] };
  });
  expect(wrong).toEqual([]);
  // Pictures of agents are named in the configuration: that leads nowhere else either.
  const client = await stage.gateway.connect();
  for (const avatar of [
    "link.txt",
    "../secret.txt",
    target,
    `file://${target}`,
    "%2e%2e/secret.txt",
    "..\\secret.txt",
  ]) {
    await client.request("agents.update", { agentId: "main", avatar });
    for (const path of ["/avatar/main", "/avatar/main?meta=1"]) {
      const answer = await stage.ask({ path, headers });
      expect([avatar, answer.text.includes(CANARY)]).toEqual([avatar, false]);
    }
  }
});

/** What cannot stand in a request line is sent in the only way it could be. */
function sendable(text: string): string {
  return /^[\x21-\x7e]*$/.test(text) ? text.replaceAll(/[?#]/g, encodeURIComponent) : encodeURIComponent(text);
}
