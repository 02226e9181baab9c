// Reads who may speak on which channel by the configuration: each place where it is written, once.
import {
  formatPlace,
  isForEverybody,
  isSettings,
  read,
  readBlock,
  readList,
  readText,
  type Settings,
} from "./settings.ts";

/** A channel's block, or one of its accounts; only what is written in it. */
export interface ChannelPlace {
  readonly at: string;
  readonly own: Settings;
  /** The channel's block, which holds where an account says nothing. */
  readonly shared: Settings;
}

const NO_CHANNEL = ["defaults", "modelByChannel"];

export function channelPlaces(config: Settings): ChannelPlace[] {
  return Object.entries(readBlock(config, "channels")).flatMap(([channel, block]) => {
    if (NO_CHANNEL.includes(channel) || !isSettings(block) || block["enabled"] === false) return [];
    const accounts = Object.entries(readBlock(block, "accounts")).flatMap(([name, account]) =>
      isSettings(account) && account["enabled"] !== false
        ? [{ at: formatPlace(["channels", channel, "accounts", name]), own: account, shared: block }]
        : [],
    );
    const { accounts: _accounts, ...own } = block;
    return [{ at: formatPlace(["channels", channel]), own, shared: block }, ...accounts];
  });
}

/** Undefined when nothing is written here about direct messages. */
export function directPolicy({
  own,
  shared,
}: ChannelPlace): { readonly key: string; readonly policy: string } | undefined {
  if (read(own, "dm.enabled") === false) return undefined;
  const key = readText(own, "dmPolicy") === undefined ? "dm.policy" : "dmPolicy";
  const written = readText(own, key);
  const hasList = read(own, "allowFrom") !== undefined || read(own, "dm.allowFrom") !== undefined;
  if (written === undefined && !hasList) return undefined;
  const policy = written ?? readText(shared, "dmPolicy") ?? readText(shared, "dm.policy") ?? "pairing";
  return { key: written === undefined ? "dmPolicy" : key, policy };
}

export function directList({ own }: ChannelPlace): { readonly key: string; readonly list: readonly string[] } {
  const key =
    read(own, "allowFrom") === undefined && read(own, "dm.allowFrom") !== undefined ? "dm.allowFrom" : "allowFrom";
  return { key, list: readList(own, key) };
}

/** Strangers may write directly. */
export function isOpenToStrangers(place: ChannelPlace): boolean {
  const direct = directPolicy(place);
  if (!direct || direct.policy === "disabled") return false;
  return direct.policy === "open" || isForEverybody(directList(place).list);
}

/** Whoever is in a group with us may speak there. */
export function hasOpenGroups({ own }: ChannelPlace): boolean {
  return readText(own, "groupPolicy") === "open" && read(own, "groupAllowFrom") === undefined;
}

/** Any place where people nobody named may speak. */
export function hasOpenPlaces(config: Settings): boolean {
  const byDefault = readText(config, "channels.defaults.groupPolicy") === "open";
  return byDefault || channelPlaces(config).some((place) => isOpenToStrangers(place) || hasOpenGroups(place));
}
