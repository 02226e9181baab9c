// `chela channels list | add | remove`: which channels are in the configuration. A running gateway takes changes up.
import { defined } from "@chela/sdk/base";
import type { Channel } from "@chela/sdk";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { accountsWith, envFor, accountsOf, allChannels, DEFAULT_ACCOUNT, entryOf } from "../../rooms/channels/room.ts";
import { openStateDirectory, type ConfigStore } from "../../rooms/config/room.ts";
import { presentSecretKey, secretKeyFor, settingsFrom, type Settings } from "../../rooms/channels/cli/channel-setup.ts";
import { patchConfig } from "../offline/credentials.ts";
import { formatTable } from "../../base/terminal/layout.ts";
import { openConfig } from "../offline/open-config.ts";
import { readSecret, type TypedInput } from "../../base/terminal/secret-input.ts";

const MOST_SECRETS = 3;
const SECRET_FLAGS = ["token", "bot-token", "app-token", "access-token", "password"];

function openStore({ env, state, terminal }: CommandCall): ConfigStore {
  const { paths, notices } = openStateDirectory(env, state);
  for (const notice of notices) terminal.note(notice);
  return openConfig(paths, env);
}

export async function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const store = openStore(call);
  const accounts = await accountsWith(store.current(), store.effectiveEnv());
  if (flags.has("json")) {
    terminal.printJson({ accounts, available: allChannels().map(({ id, label }) => ({ id, label })) });
    return 0;
  }
  const rows = accounts.map(({ channel, accountId, state, why = "" }) => [channel, accountId, state, why]);
  const head = ["CHANNEL", "ACCOUNT", "STATE", ""].map((word) => terminal.style.dim(word));
  if (rows.length === 0) terminal.print("No channel is configured.");
  else for (const line of formatTable([head, ...rows])) terminal.print(line);
  terminal.print(
    `Channels there are: ${allChannels()
      .map(({ id }) => id)
      .join(", ")}. Add one: chela channels add <channel>`,
  );
  return 0;
}

export async function add(
  call: CommandCall,
  { input }: { input: TypedInput } = { input: process.stdin },
): Promise<number> {
  const { flags, terminal } = call;
  const entry = entryOf(channelOf(call));
  const account = flags.text("account")?.trim() || DEFAULT_ACCOUNT;
  const code = await entry.load();
  const store = openStore(call);
  const known = accountsOf(store.current(), entry.id).find((one) => one.account === account)?.settings ?? {};
  const env = envFor(account, store.effectiveEnv());
  if (SECRET_FLAGS.some((name) => flags.has(name)))
    terminal.note("A secret on the command line stays in the shell's history. Leave it out, and you are asked for it.");
  const gathered = await gatherSettings(code, known, env, call, input);
  const configured = code.configure({ ...known, ...gathered }, env);
  if (configured.kind === "incomplete")
    throw new CommandFailure("other", `${entry.label} needs more, so nothing was written: ${configured.why}`, {
      fix: `\`chela channels add ${entry.id} --help\` shows the flags; --set key=value sets anything else.`,
    });
  const patch = placeSettings(store, entry.id, account, { enabled: true, ...gathered });
  const written = await patchConfig(call, patch, store.snapshot().hash);
  const result = { channel: entry.id, accountId: account, written };
  if (flags.has("json")) terminal.printJson(result);
  else for (const line of tellAdded(code, account, result.written)) terminal.print(line);
  return 0;
}

/** What was typed, and the secrets the channel still misses. With --use-env those are left where they are. */
async function gatherSettings(
  code: Channel,
  known: Settings,
  env: (name: string) => string | undefined,
  { flags, terminal }: CommandCall,
  input: TypedInput,
): Promise<Settings> {
  let gathered = settingsFrom(flags);
  const place = (secret: string): boolean => {
    const settings = { ...known, ...gathered };
    const key = secretKeyFor(code, settings, env, secret) ?? presentSecretKey(settings);
    if (key !== undefined) gathered = { ...gathered, [key]: secret };
    return key !== undefined;
  };
  const token = flags.text("token");
  if (token !== undefined && !place(token)) throw usageFailure(`${code.label} has no use for --token now.`);
  for (let asked = 0; asked < MOST_SECRETS && !flags.has("use-env"); asked += 1) {
    const settings = { ...known, ...gathered };
    const answer = code.configure(settings, env);
    if (answer.kind === "configured" || secretKeyFor(code, settings, env) === undefined) break;
    // What is piped in is one secret.
    if (!input.isTTY && (asked > 0 || token !== undefined)) break;
    if (input.isTTY) terminal.note(answer.why);
    if (!place((await readSecret(`secret of ${code.label}`, { terminal, input })).reveal())) break;
  }
  return gathered;
}

/** The default account's settings stand at the top of the block, unless it has a place of its own below. */
function placeSettings(store: ConfigStore, channel: string, account: string, settings: Settings): object {
  const below = store.getPath(`channels.${channel}.accounts.${account}`).kind === "found";
  const isTop = account === DEFAULT_ACCOUNT && !below;
  return { channels: { [channel]: isTop ? settings : { accounts: { [account]: settings } } } };
}

function tellAdded(code: Channel, account: string, isNew: boolean): string[] {
  const name = account === DEFAULT_ACCOUNT ? code.label : `${code.label} (${account})`;
  const flag = account === DEFAULT_ACCOUNT ? "" : ` --account ${account}`;
  return [
    isNew
      ? `${name} is in the configuration. A running gateway connects it by itself.`
      : `${name} is already set up with these settings.`,
    code.login
      ? `Now link it: chela channels login --channel ${code.id}${flag}`
      : `See how it does: chela channels status. Then write to it, and let yourself in: chela pairing list ${code.id}`,
  ];
}

export async function remove(call: CommandCall): Promise<number> {
  const { flags } = call;
  const store = openStore(call);
  const channel = channelOf(call);
  const account = flags.text("account")?.trim();
  const path = account === undefined ? `channels.${channel}` : `channels.${channel}.accounts.${account}`;
  if (store.getPath(path).kind === "absent")
    throw new CommandFailure("other", `${path} is not in the configuration.`, {
      fix: "`chela channels list` shows what is.",
    });
  if (flags.has("delete")) store.unsetPath(path);
  else store.setPath(`${path}.enabled`, false);
  const name = account === undefined ? channel : `${channel} (${account})`;
  const result = { channel, ...defined({ accountId: account }), deleted: flags.has("delete") };
  if (flags.has("json")) call.terminal.printJson(result);
  else if (result.deleted)
    call.terminal.print(`${name} is out of the configuration. A running gateway disconnects it.`);
  else call.terminal.print(`${name} is switched off; its settings stay. --delete removes them.`);
  return 0;
}

function channelOf({ args, flags, path }: CommandCall): string {
  const channel = (args[0] ?? flags.text("channel"))?.trim().toLowerCase();
  if (channel) return channel;
  const known = allChannels()
    .map(({ id }) => id)
    .join(", ");
  throw usageFailure(`Say which channel: chela ${path.join(" ")} <channel>.`, `There are: ${known}.`);
}
