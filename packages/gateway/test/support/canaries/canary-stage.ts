// A gateway with a secret of its own wherever there can be one, among services that repeat whatever they are told.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Channel } from "@chela/sdk";
import { CHANNELS } from "../../../src/rooms/channels/index.ts";
import { putAt, type JsonObject } from "../../../src/rooms/config/edit/path.ts";
import { Canaries } from "./canaries.ts";
import { ANY, plantInConfig } from "./canary-config.ts";
import { openEchoHouse, type Heard } from "../models/echo-house.ts";
import { TEST_TOKEN } from "../in-process.ts";
import { findFreePort } from "../in-process-http.ts";
import { METHOD_CHANNELS, METHOD_MEMORY, openMethodScene, type MethodScene } from "../security/method-cases.ts";
import type { Json } from "../wire-client.ts";

export interface CanaryStage extends AsyncDisposable {
  readonly scene: MethodScene;
  readonly canaries: Canaries;
  readonly root: string;
  readonly stateDir: string;
  /** The environment of the gateway and of commands. */
  readonly env: Readonly<Record<string, string>>;
  readonly origin: string;
  readonly heard: readonly Heard[];
  /** What may be sent to each path of the house: the names of the secrets. */
  readonly meantFor: Readonly<Record<string, readonly string[]>>;
}

const KEPT_PROVIDERS = [
  "keyed",
  "profiled",
  "vaulted",
  "pointed",
  "filed",
  "executed",
  "named",
  "signed",
  "late",
  "broken",
  "down",
] as const;
/** Providers of models, named by how their key is kept or how they refuse it. The house hears each on its own path. */
export const PROVIDERS: readonly string[] = [ANY, ...KEPT_PROVIDERS];

/** Those of the schema that have a value of their own here, or whose place needs more than a text. */
export const KEPT_PATHS: readonly string[] = [
  // The token that all clients of the test bring.
  "gateway.auth.token",
  // Its block needs a command beside it; see `secrets` below.
  "secrets.providers.any.env.any",
];

export async function openCanaryStage(): Promise<CanaryStage> {
  const root = mkdtempSync(join(tmpdir(), "chela-canary-"));
  const stateDir = join(root, "state");
  const outside = join(root, "outside");
  for (const folder of [stateDir, outside, join(root, "tmp")]) mkdirSync(folder, { mode: 0o700 });
  const canaries = new Canaries();
  canaries.know("gateway.auth.token", TEST_TOKEN);
  const house = await openEchoHouse();
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = join(root, "tmp");
  const env = {
    HOME: join(root, "home"),
    OPENCLAW_STATE_DIR: stateDir,
    OPENCLAW_CLI_SECRET: canaries.plant("variable OPENCLAW_CLI_SECRET"),
    OPENCLAW_CLI_PORT: String(await findFreePort()),
    OLLAMA_HOST: "127.0.0.1:9",
    POINTED_VALUE: canaries.plant("pointer env"),
    NAMED_API_KEY: canaries.plant("variable NAMED_API_KEY"),
    ...Object.fromEntries(
      [
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "GEMINI_API_KEY",
        "TELEGRAM_BOT_TOKEN",
        "GITHUB_TOKEN",
        "MY_PASSWORD",
      ].map((name) => [name, canaries.plant(`variable ${name}`)]),
    ),
  };
  writePrivate(join(stateDir, ".env"), `FROM_FILE_TOKEN=${canaries.plant(".env FROM_FILE_TOKEN")}\n`);
  writePrivate(join(outside, "key"), `${canaries.plant("pointer file")}\n`);
  writePrivate(join(outside, "source"), canaries.plant("secrets.providers file"));
  writePrivate(join(outside, "hand-out"), canaries.plant("pointer exec"));
  writeProgram(join(outside, "source-out"), canaries.plant("secrets.providers exec"));
  writeProfiles(stateDir, canaries);

  const config = configFor(canaries, { outside, origin: house.origin });
  writePrivate(join(stateDir, "openclaw.json"), JSON.stringify(config, null, 2));
  const channels = await echoingChannels(config);
  const scene = await openMethodScene({ stateDir, env, channels });
  await fillVault(scene, canaries, outside, house.origin);
  return {
    scene,
    canaries,
    root,
    stateDir,
    env,
    origin: house.origin,
    heard: house.heard,
    meantFor: MEANT_FOR,
    async [Symbol.asyncDispose]() {
      await scene.gateway[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const MEANT_FOR: Readonly<Record<string, readonly string[]>> = {
  // A header of the model comes before one of its provider that has the same name.
  [`/${ANY}/`]: [`models.providers.${ANY}.apiKey`, `models.providers.${ANY}.models[0].headers.${ANY}`],
  "/keyed/": ["provider keyed"],
  "/profiled/": ["profile profiled"],
  "/vaulted/": ["vault models/vaulted"],
  "/pointed/": ["pointer env"],
  "/filed/": ["secrets.providers file"],
  "/executed/": ["secrets.providers exec"],
  "/named/": ["variable NAMED_API_KEY"],
  // The key takes the place of the name and password in the address.
  "/signed/": ["provider signed"],
  "/late/": ["provider late"],
  "/broken/": ["provider broken"],
  "/down/": ["provider down"],
  "/webhook": ["cron.webhookToken"],
  "/search/": ["tools.web.search.perplexity.apiKey"],
};

function configFor(canaries: Canaries, { outside, origin }: { outside: string; origin: string }): JsonObject {
  const config: JsonObject = {};
  plantInConfig(config, canaries, KEPT_PATHS);
  const provider = (name: string, more: Json): Json => ({
    baseUrl: `${origin}/${name}/v1`,
    api: "openai-completions",
    models: [{ id: "m", name: "M" }],
    ...more,
  });
  const set = (path: readonly (string | number)[], value: unknown): void => putAt(config, path, value);
  set(["gateway", "auth", "mode"], "token");
  set(["gateway", "auth", "token"], TEST_TOKEN);
  set(["gateway", "reload", "debounceMs"], 1);
  set(["gateway", "http", "endpoints"], { chatCompletions: { enabled: true }, responses: { enabled: true } });
  set(["agents", "defaults", "model"], "scripted/test");
  set(["agents", "defaults", "sandbox", "mode"], "off");
  for (const [key, value] of Object.entries(METHOD_MEMORY)) set(["agents", "defaults", "memorySearch", key], value);
  set(["agents", "list", 0, "id"], "main");
  set(["agents", "list", 1], { id: "boxed", sandbox: { mode: "all" } });
  set(["hooks", "enabled"], true);
  set(["tools", "exec"], { security: "full", ask: "off" });
  set(["tools", "loopDetection"], { enabled: false });
  set(["tools", "web", "search", "provider"], "perplexity");
  set(["tools", "web", "search", "perplexity", "baseUrl"], `${origin}/search`);
  for (const block of [[], ["accounts", ANY]])
    set(["channels", "xmpp", ...block, "rooms", 0, "jid"], "room@example.org");
  set(["channels", "fake"], METHOD_CHANNELS["fake"]);
  set(["secrets", "providers"], {
    file: { source: "file", mode: "singleValue", path: join(outside, "source") },
    exec: {
      source: "exec",
      command: join(outside, "source-out"),
      env: { Some: canaries.plant("secrets.providers.any.env.any") },
      jsonOnly: false,
      trustedDirs: [outside],
    },
  });
  set(["models", "providers", "scripted"], { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }] });
  const any = ["models", "providers", ANY];
  set([...any, "baseUrl"], `${origin}/${ANY}/v1`);
  set([...any, "api"], "openai-completions");
  set([...any, "models", 0, "id"], "m");
  const keys: Readonly<Record<(typeof KEPT_PROVIDERS)[number], Json>> = {
    keyed: { apiKey: canaries.plant("provider keyed", '"\\+/%&') },
    profiled: {},
    vaulted: {},
    pointed: {},
    filed: { apiKey: { source: "file", provider: "file", id: "value" } },
    executed: { apiKey: { source: "exec", provider: "exec", id: "value" } },
    named: { apiKey: { source: "env", provider: "default", id: "NAMED_API_KEY" } },
    signed: {
      apiKey: canaries.plant("provider signed"),
      baseUrl: `${origin.replace("//", `//me:${canaries.plant("address of signed")}@`)}/signed/v1`,
    },
    late: { apiKey: canaries.plant("provider late") },
    broken: { apiKey: canaries.plant("provider broken") },
    down: { apiKey: canaries.plant("provider down") },
  };
  for (const name of KEPT_PROVIDERS) set(["models", "providers", name], provider(name, keys[name]));
  return config;
}

/** Every channel as it reads its settings; its platform repeats them in its refusals. */
async function echoingChannels(config: JsonObject): Promise<Record<string, Channel>> {
  const blocks = config["channels"] as Readonly<Record<string, unknown>>;
  const loaded = await Promise.all(CHANNELS.map(async ({ id, load }) => [id, await load()] as const));
  return Object.fromEntries(loaded.map(([id, channel]) => [id, echoing(channel, JSON.stringify(blocks[id] ?? {}))]));
}

function echoing(channel: Channel, echo: string): Channel {
  const { login: _login, ...kept } = channel;
  return {
    ...kept,
    configure(settings, env) {
      const read = channel.configure(settings, env);
      return read.kind === "configured" ? read : { kind: "configured", account: {} };
    },
    async start(account, host) {
      host.log.error(`could not connect with ${echo}`, { account, settings: JSON.parse(echo) });
      host.report({ lastError: `refused: ${echo}` });
      const error = new Error(`401 for ${echo}`);
      throw Object.assign(error, { cause: new Error(echo) });
    },
  };
}

function writeProfiles(stateDir: string, canaries: Canaries): void {
  const expires = Date.now() + 3_600_000;
  const profiles = {
    "profiled:default": { type: "api_key", provider: "profiled", key: canaries.plant("profile profiled") },
    "vaulted:default": { type: "api_key", provider: "vaulted", key: "vault:models/vaulted" },
    "pointed:default": { type: "api_key", provider: "pointed", key: "vault:models/pointed" },
    "other:token": { type: "token", provider: "other", token: canaries.plant("profile token") },
    "other:oauth": {
      type: "oauth",
      provider: "other",
      access: canaries.plant("profile access"),
      refresh: canaries.plant("profile refresh"),
      expires,
    },
  };
  writePrivate(
    join(stateDir, "agents", "main", "agent", "auth-profiles.json"),
    JSON.stringify({ version: 1, profiles }),
  );
  const signIns = {
    elder: { access: canaries.plant("oauth.json access"), refresh: canaries.plant("oauth.json refresh"), expires },
  };
  writePrivate(join(stateDir, "credentials", "oauth.json"), JSON.stringify(signIns));
}

async function fillVault({ client }: MethodScene, canaries: Canaries, outside: string, origin: string): Promise<void> {
  const entries: readonly Json[] = [
    { id: "models/vaulted", service: "vaulted", value: canaries.plant("vault models/vaulted"), origin },
    { id: "models/pointed", service: "pointed", env: "POINTED_VALUE", origin: "any" },
    { id: "other/value", service: "other", value: canaries.plant("vault other/value", '"\\ \n%') },
    { id: "other/file", service: "other", file: join(outside, "key") },
    { id: "other/exec", service: "other", exec: ["/bin/cat", join(outside, "hand-out")] },
  ];
  for (const entry of entries) await client.call("credentials.add", entry);
}

function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}

function writeProgram(path: string, says: string): void {
  writeFileSync(path, `#!/bin/sh\necho '${says}'\n`);
  chmodSync(path, 0o700);
}
