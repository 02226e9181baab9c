// Lists the accounts of channels that the configuration names, with the settings of each. Pure.
import { defined, isObject } from "@chela/sdk/base";

/** The part of the configuration that is about channels. */
export interface ChannelsView {
  readonly channels?: Readonly<Record<string, unknown>> | undefined;
}

export interface AccountSettings {
  readonly channel: string;
  readonly account: string;
  readonly isEnabled: boolean;
  /** The channel's own settings with those of the account over them. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export const DEFAULT_ACCOUNT = "default";
/** Blocks under `channels` that are no channel. */
const NO_CHANNELS = new Set(["defaults", "modelByChannel"]);

/** Ids of the channels that have a block. */
export function configuredChannels({ channels }: ChannelsView): string[] {
  return Object.keys(channels ?? {}).filter((id) => !NO_CHANNELS.has(id) && isObject(channels?.[id]));
}

export function accountsOf(config: ChannelsView, channel: string): AccountSettings[] {
  const block = config.channels?.[channel];
  if (!isObject(block)) return [];
  const { accounts, ...shared } = block;
  const named = Object.entries(isObject(accounts) ? accounts : {}).filter(([, own]) => isObject(own));
  const isOff = shared["enabled"] === false;
  // Settings at the top belong to the default account, unless all they do is to be shared by those below.
  const all = named.length === 0 || hasOwnAccount(named, block) ? [[DEFAULT_ACCOUNT, {}] as const, ...named] : named;
  const seen = new Map(all.map(([account, own]) => [account, merged(shared, own as Record<string, unknown>, config)]));
  return [...seen].map(([account, settings]) => ({
    channel,
    account,
    isEnabled: !isOff && settings["enabled"] !== false,
    settings,
  }));
}

export function accountSettings(
  config: ChannelsView,
  channel: string,
  account: string,
): AccountSettings["settings"] | undefined {
  return accountsOf(config, channel).find((one) => one.account === account)?.settings;
}

/** The account that is meant when nobody names one. */
export function defaultAccountOf(config: ChannelsView, channel: string): string {
  const block = config.channels?.[channel];
  const named = isObject(block) && typeof block["defaultAccount"] === "string" ? block["defaultAccount"] : undefined;
  const accounts = accountsOf(config, channel).map(({ account }) => account);
  if (named !== undefined && accounts.includes(named)) return named;
  return accounts.includes(DEFAULT_ACCOUNT) ? DEFAULT_ACCOUNT : (accounts[0] ?? DEFAULT_ACCOUNT);
}

const CREDENTIALS = [
  "botToken",
  "token",
  "tokenFile",
  "appToken",
  "account",
  "httpUrl",
  "host",
  "homeserver",
  "accessToken",
  "imap",
  "secret",
];

function hasOwnAccount(named: ReadonlyArray<readonly [string, unknown]>, block: Record<string, unknown>): boolean {
  // "Default" is kept in the same place as "default", so there is no second one beside it.
  if (named.some(([account]) => account.toLowerCase() === DEFAULT_ACCOUNT)) return false;
  return CREDENTIALS.some((key) => block[key] !== undefined);
}

function merged(
  shared: Record<string, unknown>,
  own: Record<string, unknown>,
  config: ChannelsView,
): Record<string, unknown> {
  const defaults = config.channels?.["defaults"];
  const groupPolicy = isObject(defaults) ? defaults["groupPolicy"] : undefined;
  return { ...defined({ groupPolicy }), ...shared, ...own };
}
