// What the gateway says when it is up: where it listens, who answers, where things are, how to go on.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import { bindSettings, issueSentence, type StateOptions } from "../config/room.ts";
import { resolveStatePaths } from "../config/state-paths.ts";
import { TOKEN_FILE } from "../gateway-token.ts";
import type { RunningGateway } from "../main.ts";
import { createModels } from "../models/room.ts";
import { VERSION } from "../version.ts";
import { readKnown } from "./known-settings.ts";
import { silentLog } from "./silent-log.ts";
import type { Terminal } from "./terminal.ts";

interface Start extends StateOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly auth?: { readonly mode?: string; readonly token?: string; readonly password?: string };
}

/** False when this start will make a token. */
export function hasToken({ env, auth, ...state }: Start): boolean {
  if (auth?.token || auth?.password || (auth?.mode && auth.mode !== "token")) return true;
  const known = readKnown(resolveStatePaths(env, state), env);
  // A text that nobody has checked yet is only read when the gateway starts.
  if (!known) return true;
  const written = known.config.gateway?.auth;
  const fromEnv = known.env["OPENCLAW_GATEWAY_TOKEN"] || known.env["OPENCLAW_GATEWAY_PASSWORD"];
  return Boolean(written?.token || written?.password || (written?.mode && written.mode !== "token") || fromEnv);
}

export async function printBanner(
  gateway: RunningGateway,
  terminal: Terminal,
  { madeToken }: { readonly madeToken: boolean },
): Promise<void> {
  const { style, print } = terminal;
  const { config, paths, port } = gateway;
  const scheme = config.current().gateway?.tls?.enabled ? "https" : "http";
  const { bind, customHost } = bindSettings(config.current());
  const host = bind === "custom" ? (customHost ?? "127.0.0.1") : "127.0.0.1";
  print(
    `${style.bold(`Chela ${VERSION}`)} listens on ${scheme}://${host}:${port}${bind === "loopback" ? "" : ` (bind: ${bind})`}`,
  );
  const { enabled = true, basePath = "" } = config.current().gateway?.controlUi ?? {};
  if (enabled) print(`Page:   ${scheme}://${host}:${port}/${basePath.replace(/^\/+|\/+$/g, "")}`);
  print(`State:  ${paths.stateDir}`);
  print(`Talk:   type \`chela chat\` in another terminal`);
  if (madeToken) print(`Token:  made one, kept in ${tokenPlace(gateway)}; on this machine nobody has to type it`);
  for (const line of configLines(gateway)) print(style.yellow(line));
  print(`Model:  ${await describeModel(gateway)}`);
}

function tokenPlace({ config, paths }: RunningGateway): string {
  const file = join(paths.stateDir, TOKEN_FILE);
  return config.current().gateway?.auth?.token || !existsSync(file) ? `${paths.configPath} (gateway.auth.token)` : file;
}

function configLines({ config }: RunningGateway): string[] {
  const { source, exists, issues, path } = config.snapshot();
  if (!exists || source === "file") return [];
  const used = source === "last-good" ? "the last version that worked is used" : "built-in settings are used";
  return [`Config: ${path} is broken, so ${used}.`, ...issues.map((issue) => `        ${issueSentence(issue)}`)];
}

/** Asked after the door is open: looking for servers on this machine takes a moment. */
async function describeModel({ config }: RunningGateway): Promise<string> {
  const models = createModels({
    config: () => config.current(),
    env: () => config.effectiveEnv(),
    clock: systemClock,
    log: silentLog,
  });
  try {
    const { model, source } = await models.defaultModel();
    return `${model.provider}/${model.id} (${source})`;
  } catch (error) {
    return `none that works: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    models.close();
  }
}
