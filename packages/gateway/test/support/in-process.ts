// The whole gateway in this process, on a free port and a state directory of its own, with a model that says what a test wrote.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Channel, Clock, ModelEvent, ModelProvider, ModelRequest } from "@chela/sdk";
import { createScriptedModel, finish, type ScriptedModel } from "@chela/sdk/testing";
import { startGateway, type RunningGateway, type StartOptions } from "../../src/main.ts";
import { connectClient, WireClient, type ClientOptions, type Json } from "./wire-client.ts";

export const TEST_TOKEN = "token-of-the-test-gateway-0123456789";
const PATIENCE_MS = 15_000;

export interface TestGatewayOptions {
  /** Merged over a configuration with the token and the scripted model. */
  readonly config?: Json;
  /** The configuration as it is, without the merge. */
  readonly rawConfig?: string;
  readonly providers?: Readonly<Record<string, ModelProvider>>;
  readonly channels?: Readonly<Record<string, Channel>>;
  readonly env?: Record<string, string>;
  readonly clock?: Clock;
  /** A directory of an earlier gateway; its configuration is kept. */
  readonly stateDir?: string;
  readonly start?: Partial<StartOptions>;
}

export interface TestGateway extends AsyncDisposable {
  readonly gateway: RunningGateway;
  readonly model: ScriptedModel;
  readonly url: string;
  readonly http: string;
  readonly token: string;
  readonly stateDir: string;
  readonly configPath: string;
  readonly pageRoot: string;
  /** A client that is let in; it is closed with the gateway. */
  connect(options?: Partial<ClientOptions>): Promise<WireClient>;
  /** A socket that has not said anything yet; it is closed with the gateway. */
  dial(options?: Partial<ClientOptions>): WireClient;
  /** A point where a model waits; opened at the end of the test if nobody did. */
  gate(): Gate;
  fetch(path: string, init?: RequestInit & { token?: string | null }): Promise<Response>;
  /** Everything that is in the log by now. */
  readLog(): string;
}

export interface Gate {
  /** Resolves when somebody arrived at the gate. */
  readonly reached: Promise<void>;
  open(): void;
  /** A step of the script: says `before`, waits for the gate or the end of the run, says `after`. */
  step(before: string, after: string): (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;
}

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const ownsDirectory = options.stateDir === undefined;
  const stateDir = options.stateDir ?? mkdtempSync(join(tmpdir(), "chela-test-"));
  const pageRoot = createPage(stateDir);
  const configPath = join(stateDir, "openclaw.json");
  if (ownsDirectory)
    writeFileSync(configPath, options.rawConfig ?? JSON.stringify(mergedConfig(options.config), null, 2));
  const model = createScriptedModel();
  const gateway = await startGateway({
    env: { HOME: stateDir, OPENCLAW_STATE_DIR: stateDir, ...options.env },
    port: 0,
    pageRoot,
    ...options.start,
    given: {
      providers: { scripted: model, ...options.providers },
      ...(options.channels ? { channels: options.channels } : {}),
      ...(options.clock ? { clock: options.clock } : {}),
      ...options.start?.given,
    },
  }).catch((error: unknown) => {
    if (ownsDirectory) rmSync(stateDir, { recursive: true, force: true });
    throw error;
  });
  const url = `ws://127.0.0.1:${gateway.port}`;
  const http = `http://127.0.0.1:${gateway.port}`;
  const clients: WireClient[] = [];
  const gates: Gate[] = [];
  return {
    gateway,
    model,
    url,
    http,
    token: TEST_TOKEN,
    stateDir,
    configPath,
    pageRoot,
    async connect(more = {}) {
      const client = await connectClient({
        url,
        token: TEST_TOKEN,
        ...more,
      });
      clients.push(client);
      return client;
    },
    dial(more = {}) {
      const client = new WireClient({
        url,
        token: TEST_TOKEN,
        ...more,
      });
      clients.push(client);
      return client;
    },
    gate() {
      const gate = createGate();
      gates.push(gate);
      return gate;
    },
    fetch(path, { token = TEST_TOKEN, headers, ...init } = {}) {
      const auth: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
      return fetch(http + path, {
        ...init,
        headers: {
          ...auth,
          ...(headers as Record<string, string>),
        },
      });
    },
    readLog() {
      gateway.log.flush();
      const file = gateway.log.currentFile();
      return file && existsSync(file) ? readFileSync(file, "utf8") : "";
    },
    async [Symbol.asyncDispose]() {
      for (const gate of gates) gate.open();
      await Promise.all(clients.map((client) => client.close()));
      await gateway.stop("stop");
      if (ownsDirectory)
        rmSync(stateDir, {
          recursive: true,
          force: true,
        });
    },
  };
}

/** A state directory that outlives the gateways that use it. */
export function createStateDirectory(config?: Json): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "chela-test-"));
  writeFileSync(join(path, "openclaw.json"), JSON.stringify(mergedConfig(config), null, 2));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function mergedConfig(config: Json = {}): Json {
  return merge(
    {
      gateway: { auth: { mode: "token", token: TEST_TOKEN }, reload: { debounceMs: 1 } },
      // The same on every machine, whatever it could keep a sandbox with, and no keeper of memory for a clock that jumps;
      // tests of either say otherwise.
      agents: { defaults: { model: "scripted/test", sandbox: { mode: "off" }, memorySearch: { enabled: false } } },
      models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }] } } },
    },
    config,
  );
}

function merge(base: Json, over: Json): Json {
  const result: Json = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const old = result[key];
    result[key] = isPlain(old) && isPlain(value) ? merge(old, value) : value;
  }
  return result;
}

function isPlain(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function createPage(stateDir: string): string {
  const root = join(stateDir, "page");
  mkdirSync(join(root, "assets"), { recursive: true });
  writeFileSync(join(root, "index.html"), "<!doctype html><title>control page</title>");
  writeFileSync(join(root, "assets", "app.js"), "export {};\n");
  writeFileSync(join(root, "sw.js"), "// worker\n");
  writeFileSync(join(root, "viewer.html"), "<!doctype html><title>viewer</title>");
  return root;
}

function createGate(): Gate {
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  return {
    reached: arrival.promise,
    open: () => opening.resolve(),
    step: (before, after) =>
      async function* (_request, signal) {
        if (before) yield { kind: "text", delta: before };
        arrival.resolve();
        await Promise.race([opening.promise, aborted(signal)]);
        if (signal.aborted) yield { ...finish(), stopReason: "aborted" } as ModelEvent;
        else yield* [{ kind: "text", delta: after } as const, finish()];
      },
  };
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Asks again until the answer is there. For things that no event tells of, such as a file that was written. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`${what}: it did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
