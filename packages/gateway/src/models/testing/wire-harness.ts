// Runs a wire API against recorded answers, through the front door of the room.
import { existsSync, readFileSync } from "node:fs";
import { createFakeClock, plainRequest, type ModelHarness, type ModelScenario } from "@chela/sdk/testing";
import type { Logger, ModelApi, ModelInfo } from "@chela/sdk";
import { createHttpFetch } from "../../base/http-fetch.ts";
import { createModels, type Models, type ModelsConfigView } from "../room.ts";
import { openReplayServer, type ReplayServer, type Reply } from "./replay-server.ts";

export const API_KEY = "test-key-1234567890";

export const silentLog: Logger = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

export interface WireBench extends AsyncDisposable {
  readonly server: ReplayServer;
  readonly models: Models;
  readonly model: ModelInfo;
  close(): Promise<void>;
}

type ProviderConfig = NonNullable<NonNullable<NonNullable<ModelsConfigView["models"]>["providers"]>[string]>;

/** A room with one provider that speaks `api` with a replay server. */
export async function openBench(
  api: ModelApi,
  provider = "test",
  modelId = "test-model",
  more: ProviderConfig = {},
): Promise<WireBench> {
  const server = await openReplayServer();
  const entry: ProviderConfig = { baseUrl: server.url, api, apiKey: API_KEY, ...more };
  const fetch = createHttpFetch();
  const models = createModels({
    config: () => ({ models: { providers: { [provider]: entry } } }),
    env: () => ({}),
    clock: createFakeClock(),
    log: silentLog,
    fetch,
  });
  const close = async (): Promise<void> => {
    models.close();
    await server.close();
  };
  const model = { ...plainRequest().model, provider, id: modelId, api };
  return { server, models, model, close, [Symbol.asyncDispose]: close };
}

export async function openWireHarness(api: ModelApi, provider: string, modelId: string): Promise<ModelHarness> {
  const bench = await openBench(api, provider, modelId);
  return {
    provider: { id: provider, stream: (request, signal) => bench.models.stream(request, signal) },
    play(scenario) {
      bench.server.answer(replyFor(api, scenario));
      return plainRequest(bench.model);
    },
    begun: () => bench.server.sent(),
    close: () => bench.close(),
  };
}

export function replyFor(api: ModelApi, scenario: ModelScenario): Reply {
  if (scenario === "hang") return { body: firstHalf(readFixture(api, "text")), ending: "hang" };
  if (scenario === "cut") return { body: firstHalf(readFixture(api, "text")), ending: "destroy" };
  if (hasFixture(api, scenario)) return { body: readFixture(api, scenario) };
  const errors = JSON.parse(readFileSync(fixtureUrl(api, "errors.json"), "utf8")) as Record<string, ErrorFixture>;
  const error = errors[scenario];
  if (!error) throw new Error(`No fixture for ${api} ${scenario}`);
  const isText = typeof error.body === "string";
  return {
    status: error.status,
    headers: { "content-type": isText ? "text/html" : "application/json", ...error.headers },
    body: isText ? String(error.body) : JSON.stringify(error.body),
  };
}

export function readFixture(api: ModelApi, name: string): string {
  return readFileSync(fixtureUrl(api, streamFile(api, name)), "utf8");
}

interface ErrorFixture {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

function hasFixture(api: ModelApi, name: string): boolean {
  return existsSync(fixtureUrl(api, streamFile(api, name)));
}

function streamFile(api: ModelApi, name: string): string {
  return `${name}.${api === "ollama" ? "ndjson" : "sse"}`;
}

function fixtureUrl(api: ModelApi, file: string): URL {
  return new URL(`../fixtures/${api}/${file}`, import.meta.url);
}

function firstHalf(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}
