// Finds the gateway and the credentials worth trying, from flags, environment, configuration and files.
import { defined } from "@chela/sdk/base";
import { join } from "node:path";
import { CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { gatewayPort } from "../../rooms/config/settings/gateway-port.ts";
import { TOKEN_FILE } from "../../house/start/gateway-token.ts";
import type { Caller } from "./gateway-caller.ts";
import { readIfPresent, readSettings, type KnownSettings } from "./known-settings.ts";
import { readRunningNote } from "./running-file.ts";

const LOOPBACK = "127.0.0.1";

interface Credential {
  readonly token?: string;
  readonly password?: string;
}

export interface GatewayAddress {
  /** Tried in order until one answers. */
  readonly urls: readonly string[];
  /** Tried in order until one is accepted; a stored device token comes after all of them. */
  readonly credentials: readonly Credential[];
  readonly mayUseDeviceToken: boolean;
  readonly isLocal: boolean;
  readonly tlsFingerprint?: string;
  readonly stateDir: string;
}

export async function findGateway(call: Caller): Promise<GatewayAddress> {
  const explicit = explicitCredential(call);
  const url = call.flags.text("url");
  if (url !== undefined) return namedGateway(call, url, explicit);
  const settings = await readSettings(call);
  const { config, paths } = settings;
  const common = { stateDir: paths.stateDir, mayUseDeviceToken: explicit === undefined };
  if (config.gateway?.mode === "remote") {
    const { remote } = config.gateway;
    if (!remote?.url) {
      throw new CommandFailure("other", "gateway.mode is remote, but gateway.remote.url is not set.", {
        fix: "Set it with `chela config set gateway.remote.url wss://…`, or use a local gateway: `chela config set gateway.mode local`.",
      });
    }
    return {
      ...common,
      urls: [checkUrl(remote.url, settings.env)],
      credentials: explicit ? [explicit] : remoteCredentials(settings),
      isLocal: false,
      ...(remote.tlsFingerprint ? { tlsFingerprint: remote.tlsFingerprint } : {}),
    };
  }
  return {
    ...common,
    urls: localUrls(settings),
    credentials: explicit ? [explicit] : localCredentials(settings),
    isLocal: true,
  };
}

function explicitCredential({ flags }: Caller): Credential | undefined {
  const token = flags.text("token") ?? readSecretFile(flags.text("token-file"), "token-file");
  const password = flags.text("password") ?? readSecretFile(flags.text("password-file"), "password-file");
  if (token === undefined && password === undefined) return undefined;
  return { ...defined({ token, password }) };
}

/** A secret that stands in a file is on no command line, where others of this machine could read it. */
function readSecretFile(path: string | undefined, flag: string): string | undefined {
  if (path === undefined) return undefined;
  const secret = readIfPresent(path)?.trim();
  if (secret) return secret;
  throw usageFailure(`--${flag}: there is nothing in ${path}. Name a file that holds the secret and nothing else.`);
}

/** Secrets of this machine's gateway must not travel to an address that was only typed. */
async function namedGateway(call: Caller, url: string, explicit: Credential | undefined): Promise<GatewayAddress> {
  if (!explicit) throw usageFailure("With --url the credential must be given too: add --token or --password.");
  const { openStateDirectory } = await import("../../rooms/config/state/legacy-state.ts");
  const { paths } = openStateDirectory(call.env, call.state);
  return {
    urls: [checkUrl(url, call.env)],
    credentials: [explicit],
    mayUseDeviceToken: false,
    isLocal: false,
    stateDir: paths.stateDir,
  };
}

function checkUrl(text: string, env: Caller["env"]): string {
  const url = URL.parse(text.replace(/^http/, "ws"));
  if (!url || !/^wss?:$/.test(url.protocol))
    throw usageFailure(`"${text}" is not the address of a gateway; write ws://host:port or wss://host:port.`);
  if (url.protocol === "ws:" && !isThisMachine(url.hostname) && env["OPENCLAW_ALLOW_INSECURE_PRIVATE_WS"] !== "1") {
    throw usageFailure(
      `${text} is not encrypted, so everybody on the way could read the token.`,
      "Use wss://, or an SSH tunnel to this machine; OPENCLAW_ALLOW_INSECURE_PRIVATE_WS=1 allows it on a network you trust.",
    );
  }
  return url.href;
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function localUrls({ config, env, paths }: KnownSettings): string[] {
  const scheme = config.gateway?.tls?.enabled ? "wss" : "ws";
  const note = env["OPENCLAW_GATEWAY_PORT"] ? undefined : readRunningNote(paths.stateDir);
  const host = config.gateway?.bind === "custom" ? (config.gateway.customBindHost ?? LOOPBACK) : LOOPBACK;
  const places = new Set([
    ...(note ? [`${note.host}:${note.port}`] : []),
    `${host}:${gatewayPort(config, env, paths)}`,
  ]);
  return [...places].map((place) => `${scheme}://${place}`);
}

function localCredentials({ config, env, paths }: KnownSettings): Credential[] {
  const note = readRunningNote(paths.stateDir);
  const auth = config.gateway?.auth;
  return combine(
    [envOf(env, "TOKEN"), auth?.token, note?.token, readIfPresent(join(paths.stateDir, TOKEN_FILE))?.trim()],
    [envOf(env, "PASSWORD"), auth?.password, note?.password],
  );
}

function remoteCredentials({ config, env }: KnownSettings): Credential[] {
  const remote = config.gateway?.remote;
  return combine([envOf(env, "TOKEN"), remote?.token], [envOf(env, "PASSWORD"), remote?.password]);
}

function envOf(env: KnownSettings["env"], name: "TOKEN" | "PASSWORD"): string | undefined {
  return env[`OPENCLAW_GATEWAY_${name}`] || env[`CLAWDBOT_GATEWAY_${name}`] || undefined;
}

/** Token and password travel together: the gateway looks at the one it asks for. */
function combine(
  tokens: ReadonlyArray<string | undefined>,
  passwords: ReadonlyArray<string | undefined>,
): Credential[] {
  const distinct = (values: ReadonlyArray<string | undefined>) =>
    [...new Set(values.filter((value) => value !== undefined && value !== ""))] as string[];
  const [wantedTokens, wantedPasswords] = [distinct(tokens), distinct(passwords)];
  const length = Math.max(wantedTokens.length, wantedPasswords.length, 1);
  return Array.from({ length }, (_, index) => {
    const token = wantedTokens[index] ?? wantedTokens[0];
    const password = wantedPasswords[index] ?? wantedPasswords[0];
    return { ...defined({ token, password }) };
  });
}
