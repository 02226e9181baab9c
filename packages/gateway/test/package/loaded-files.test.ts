// Files the built gateway loads: at its start only what every gateway needs, and nothing of a channel nobody configured.
import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { questionText, startModelServer } from "../support/durability/durability-model.ts";
import { createWorkshop, eventually, type GatewayProcess } from "../support/durability/durability-workshop.ts";

const GATEWAY = join(import.meta.dirname, "../../src");
const CHANNELS = join(import.meta.dirname, "../../../channels/src");
const PROBE = join(import.meta.dirname, "../../../../bench/loaded-files-probe.cjs");
const START = ["cli-start.js", "cli.js", "gateway-start.js", "gateway.js"];
/** With some room for what every gateway really needs; whatever only some need is loaded when they do. */
const MOST_START_BYTES = 1_150_000;

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});
const dist = join(workshop.packagePath, "dist");

let starts = 0;
function startWatched(state: Parameters<typeof workshop.start>[0]) {
  const list = join(workshop.directory, `loaded-${++starts}`);
  const env = { NODE_OPTIONS: `--require ${JSON.stringify(PROBE)}`, BENCH_LOADED_FILE: list };
  const gateway = workshop.start(state, { env });
  return { gateway, loaded: () => filesOf(list, gateway) };
}

/** Paths of the package's own code, as this process loaded it. */
function filesOf(list: string, { pid }: GatewayProcess): string[] {
  const urls = readFileSync(`${list}.${pid}`, "utf8").split("\n");
  return urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
}

const chunksIn = (paths: readonly string[]) => paths.filter((path) => path.startsWith(dist));

test("a gateway nobody talks to loads what every start needs, and no more", async () => {
  const state = await workshop.createState();
  const first = startWatched(state);
  await first.gateway.connect();
  await first.gateway.kill("SIGTERM");

  const { gateway, loaded } = startWatched(state);
  await gateway.connect();
  // The last line of the banner is printed when everything has started.
  await eventually("the start is over", async () => gateway.output.includes("\nModel:") || undefined);
  const chunks = chunksIn(loaded());
  await gateway.kill("SIGTERM");
  expect(chunks.map((path) => basename(path)).toSorted()).toEqual(START);
  expect(chunks.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(MOST_START_BYTES);
});

test("whoever asks whether all is well is answered without what turns are made with", async () => {
  const { gateway, loaded } = startWatched(await workshop.createState());
  const client = await gateway.connect();
  const before = new Set(chunksIn(loaded()));
  expect(await client.call("health", {})).toMatchObject({ ok: true });
  const more = chunksIn(loaded()).filter((path) => !before.has(path));
  await gateway.kill("SIGTERM");
  expect(more.map((path) => basename(path))).toEqual([expect.stringMatching(/^gateway-system-/)]);
});

test("neither a start nor a turn loads anything of a channel when none is configured", async () => {
  const { gateway, loaded } = startWatched(await workshop.createState());
  const client = await gateway.connect();
  await client.call("chat.send", {
    sessionKey: "agent:main:main",
    message: questionText("q-1"),
    idempotencyKey: "q-1",
  });
  expect((await client.chatEnd("q-1")).payload.state).toBe("final");
  const chunks = chunksIn(loaded());
  await gateway.kill("SIGTERM");

  expect(chunks.length).toBeGreaterThan(START.length);
  const texts = new Map(globSync(join(dist, "gateway*.js")).map((path) => [path, readFileSync(path, "utf8")]));
  const isIn = (path: string, words: readonly string[]) => words.some((one) => texts.get(path)?.includes(one));
  for (const [channel, words] of wordsOfChannels()) {
    const files = [...texts.keys()].filter((path) => isIn(path, words));
    expect(files, `the built files of ${channel}`).not.toEqual([]);
    const loadedWords = words.filter((one) => chunks.some((path) => isIn(path, [one])));
    expect(loadedWords, `of ${channel}, in files that are loaded`).toEqual([]);
  }
});

/**
 * Texts in the code of each channel that stand nowhere else: a built file with one of them holds that channel. What may be
 * written in its config is known to every gateway, so that a file is checked without loading a channel.
 */
function wordsOfChannels(): Map<string, string[]> {
  const codeOf = new Map<string, string>();
  for (const path of globSync([`${GATEWAY}/**/*.ts`, `${CHANNELS}/**/*.ts`]).filter((one) => !one.includes(".test"))) {
    const isOwn = path.startsWith(CHANNELS) && !path.endsWith("/section.ts");
    const owner = isOwn ? (relative(CHANNELS, path).split(sep)[0] ?? "") : "";
    codeOf.set(owner, `${codeOf.get(owner) ?? ""}\n${readCode(path)}`);
  }
  const channels = [...codeOf.keys()].filter((owner) => owner !== "");
  expect(channels.length).toBeGreaterThan(8);
  return new Map(
    channels.map((channel) => {
      const others = [...codeOf].filter(([owner]) => owner !== channel).map(([, code]) => code);
      return [
        channel,
        textsIn(codeOf.get(channel) ?? "").filter((text) => !others.some((code) => code.includes(text))),
      ];
    }),
  );
}

function readCode(path: string): string {
  const source = readFileSync(path, "utf8");
  return source.replace(/^\s*(\/\/|\/?\*).*$/gm, "").replace(/^(import|export) .* from .*$/gm, "");
}

/** Sentences: a row of letters or a name may stand in a library, too. */
function textsIn(code: string): string[] {
  return [...code.matchAll(/"([A-Za-z][ -!#-[\]-~]{14,})"/g)]
    .map(([, text = ""]) => text)
    .filter((text) => text.includes(" "));
}
