// Finds the settings a channel is added with: from flags, from a secret that is typed, and by asking the channel's own code.
import type { Channel, Configured } from "@chela/sdk";
import { type FlagSpec, type FlagValues, usageFailure } from "@chela/sdk/command-line";

export type Settings = Readonly<Record<string, unknown>>;

interface SetupFlag extends FlagSpec {
  /** The setting it stands for. */
  readonly key: string;
}

/** Flags that stand for one setting, whichever channel has it. */
export const SETUP_FLAGS: readonly SetupFlag[] = [
  { name: "name", key: "name", value: "text", help: "What the account is called in lists" },
  { name: "bot-token", key: "botToken", value: "token", help: "Bot token; better typed when asked" },
  { name: "app-token", key: "appToken", value: "token", help: "App token; better typed when asked" },
  { name: "access-token", key: "accessToken", value: "token", help: "Access token; better typed when asked" },
  { name: "password", key: "password", value: "password", help: "Password; better typed when asked" },
  { name: "token-file", key: "tokenFile", value: "file", help: "File that holds the token" },
  { name: "signal-number", key: "account", value: "number", help: "Telephone number with its country code" },
  { name: "cli-path", key: "cliPath", value: "file", help: "The program that talks to the platform" },
  { name: "http-url", key: "httpUrl", value: "url", help: "Address of a daemon that runs already" },
  { name: "http-host", key: "httpHost", value: "host", help: "Host of the daemon" },
  { name: "http-port", key: "httpPort", value: "port", kind: "number", help: "Port of the daemon" },
  { name: "webhook-url", key: "webhookUrl", value: "url", help: "Where the platform reaches this gateway" },
  { name: "webhook-path", key: "webhookPath", value: "path", help: "Path of that address" },
  { name: "homeserver", key: "homeserver", value: "url", help: "Address of the homeserver" },
  { name: "user-id", key: "userId", value: "id", help: "Full id of the user" },
  { name: "device-name", key: "deviceName", value: "text", help: "What this device is called there" },
  { name: "auth-dir", key: "authDir", value: "dir", help: "Where credentials of a link lie" },
  { name: "host", key: "host", value: "host", help: "Server to connect to" },
  { name: "nick", key: "nick", value: "name", help: "Name to be known by" },
];

export function settingsFrom(flags: FlagValues): Settings {
  const named = SETUP_FLAGS.flatMap(({ name, key, kind }) => {
    const value = kind === "number" ? flags.number(name) : flags.text(name);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...Object.fromEntries(named), ...Object.fromEntries(flags.list("set").map(readPair)) };
}

/** `key=value`; what is JSON is taken as JSON. */
function readPair(text: string): readonly [string, unknown] {
  const at = text.indexOf("=");
  if (at < 1) throw usageFailure("--set needs key=value, such as --set mode=http.");
  const value = text.slice(at + 1);
  try {
    return [text.slice(0, at), JSON.parse(value)];
  } catch {
    return [text.slice(0, at), value];
  }
}

/** How channels call what proves who they are, the usual one first. */
const SECRET_KEYS = ["botToken", "token", "accessToken", "appToken", "signingSecret", "secret", "password"];

/** The setting a secret belongs into: the first one that makes a difference to the channel. */
export function secretKeyFor(
  channel: Pick<Channel, "configure">,
  settings: Settings,
  env: (name: string) => string | undefined,
  secret = "x",
): string | undefined {
  const before = answerOf(channel.configure(settings, env));
  return SECRET_KEYS.filter((key) => settings[key] === undefined).find(
    (key) => answerOf(channel.configure({ ...settings, [key]: secret }, env)) !== before,
  );
}

/** The secret that is there already, for whoever brings a new one. */
export function presentSecretKey(settings: Settings): string | undefined {
  return SECRET_KEYS.find((key) => settings[key] !== undefined);
}

function answerOf(configured: Configured<unknown>): string {
  return configured.kind === "incomplete" ? configured.why : "";
}
