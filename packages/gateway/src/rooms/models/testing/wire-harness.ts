// Runs a wire API against recorded answers, through the front door of the room.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createFakeClock, plainRequest, type ModelHarness, type ModelScenario } from "@chela/sdk/testing";
import type { Logger, ModelApi, ModelInfo } from "@chela/sdk";
import { createHttpFetch } from "@chela/sdk/http";
import { KNOWN_PROVIDERS } from "../known-providers.ts";
import { createCopilotTokens } from "../providers/sign-in/copilot-tokens.ts";
import { createGithubCopilot } from "../providers/github-copilot.ts";
import { createModels, type Models, type ModelsConfigView } from "../room.ts";
import { encodeAwsFrames } from "./aws-frames.ts";
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
  const models = createModels({
    config: () => ({ models: { providers: { [provider]: entry } } }),
    env: () => ({}),
    clock: createFakeClock(),
    log: silentLog,
  });
  const close = async (): Promise<void> => {
    models.close();
    await server.close();
  };
  const model = { ...plainRequest().model, provider, id: modelId, api };
  return { server, models, model, close, [Symbol.asyncDispose]: close };
}

/** The same for GitHub Copilot, whose models speak another API behind its login. */
export async function openCopilotHarness(spoken: ModelApi, modelId: string): Promise<ModelHarness> {
  const [github, server] = await Promise.all([openReplayServer(), openReplayServer()]);
  github.answer({ body: JSON.stringify({ token: "tid=1;exp=2", expires_at: 4e9, endpoints: { api: server.url } }) });
  const fetch = createHttpFetch();
  const copilotTokens = createCopilotTokens({ fetch, clock: createFakeClock(), apiUrl: github.url });
  const { baseUrl } = KNOWN_PROVIDERS["github-copilot"] ?? { baseUrl: "" };
  const settings = { provider: "github-copilot", modelId, baseUrl, apiKey: API_KEY, bearer: false };
  const provider = createGithubCopilot({ ...settings, headers: {}, compat: {} }, fetch, { copilotTokens });
  return {
    provider,
    play(scenario) {
      server.answer(replyFor(spoken, scenario));
      return plainRequest({ provider: "github-copilot", id: modelId, api: "github-copilot" });
    },
    begun: () => server.sent(),
    async close() {
      fetch.close();
      await Promise.all([github.close(), server.close()]);
    },
  };
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
  if (scenario === "hang") return { body: firstHalf(streamOf(api, "text")), ending: "hang" };
  if (scenario === "cut") return { body: firstHalf(streamOf(api, "text")), ending: "destroy" };
  if (hasFixture(api, scenario)) return { body: streamOf(api, scenario) };
  const error = readErrors(api)[scenario];
  if (!error) throw new Error(`No fixture for ${api} ${scenario}`);
  const isText = typeof error.body === "string";
  return {
    status: error.status,
    headers: { "content-type": isText ? "text/html" : "application/json", ...error.headers },
    body: isText ? String(error.body) : JSON.stringify(error.body),
  };
}

/** The bytes of a recorded answer. */
export function streamOf(api: ModelApi, name: string): Buffer {
  return toStream(api, readFixture(api, name));
}

/** From the readable form of a fixture to what travels. */
export function toStream(api: ModelApi, fixture: string): Buffer {
  if (api === "bedrock-converse-stream") return encodeAwsFrames(fixture);
  if (api === "google-gemini-cli") return Buffer.from(inEnvelopes(fixture));
  return Buffer.from(fixture);
}

/** What Gemini says, as it is told to the Gemini CLI. */
function inEnvelopes(fixture: string): string {
  return fixture.replace(/^data: (\{"candidates".*|\{"promptFeedback".*)$/gm, 'data: {"response":$1,"traceId":"t1"}');
}

/** All that is recorded of an API: its streams by name, and the names of its errors. */
export function listFixtures(api: ModelApi): { streams: string[]; errors: string[] } {
  const files = readdirSync(fixtureUrl(api, ""));
  const streams = files.filter((file) => file !== "errors.json").map((file) => file.replace(/\.[a-z]+$/, ""));
  return { streams, errors: Object.keys(readErrors(api)) };
}

export function readFixture(api: ModelApi, name: string): string {
  return readFileSync(fixtureUrl(api, streamFile(api, name)), "utf8");
}

interface ErrorFixture {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

function readErrors(api: ModelApi): Record<string, ErrorFixture> {
  return JSON.parse(readFileSync(fixtureUrl(api, "errors.json"), "utf8")) as Record<string, ErrorFixture>;
}

function hasFixture(api: ModelApi, name: string): boolean {
  return existsSync(fixtureUrl(api, streamFile(api, name)));
}

function streamFile(api: ModelApi, name: string): string {
  return `${name}.${api === "ollama" ? "ndjson" : api === "bedrock-converse-stream" ? "jsonl" : "sse"}`;
}

function fixtureUrl(api: ModelApi, file: string): URL {
  const folder = ANSWERS_AS[api] ?? api;
  return new URL(`../fixtures/${folder}/${file}`, import.meta.url);
}

/** Two answer as the API they come from. */
const ANSWERS_AS: Partial<Record<ModelApi, ModelApi>> = {
  "openai-codex-responses": "openai-responses",
  "google-gemini-cli": "google-generative-ai",
};

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}
