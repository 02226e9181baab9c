// Reads who may speak on which channel by the configuration: each place where it is written, once.
import type { ChannelPlace, Settings } from "@chela/sdk";
import {
  formatPlace,
  isForEverybody,
  isSettings,
  read,
  readBlock,
  readList,
  readText,
} from "../../base/settings/read-settings.ts";

/** A place, and the channel's block, which holds where an account says nothing. */
interface WrittenPlace extends Pick<ChannelPlace, "at" | "own"> {
  readonly shared: Settings;
}

const NO_CHANNEL = ["defaults", "modelByChannel"];

export function channelPlaces(config: Settings): ChannelPlace[] {
  return writtenPlaces(config).map((place) => {
    const direct = directPolicy(place);
    const people = directList(place);
    const isOpenToStrangers =
      direct !== undefined && direct.policy !== "disabled" && (direct.policy === "open" || isForEverybody(people.list));
    return { at: place.at, own: place.own, direct, people, isOpenToStrangers, hasOpenGroups: hasOpenGroups(place) };
  });
}

function writtenPlaces(config: Settings): WrittenPlace[] {
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

function directPolicy({ own, shared }: WrittenPlace): ChannelPlace["direct"] {
  if (read(own, "dm.enabled") === false) return undefined;
  const key = readText(own, "dmPolicy") === undefined ? "dm.policy" : "dmPolicy";
  const written = readText(own, key);
  const hasList = read(own, "allowFrom") !== undefined || read(own, "dm.allowFrom") !== undefined;
  if (written === undefined && !hasList) return undefined;
  const policy = written ?? readText(shared, "dmPolicy") ?? readText(shared, "dm.policy") ?? "pairing";
  return { key: written === undefined ? "dmPolicy" : key, policy };
}

function directList({ own }: WrittenPlace): ChannelPlace["people"] {
  const key =
    read(own, "allowFrom") === undefined && read(own, "dm.allowFrom") !== undefined ? "dm.allowFrom" : "allowFrom";
  return { key, list: readList(own, key) };
}

function hasOpenGroups({ own }: WrittenPlace): boolean {
  return readText(own, "groupPolicy") === "open" && read(own, "groupAllowFrom") === undefined;
}

/** Any place where people nobody named may speak. */
export function hasOpenPlaces(config: Settings, places: readonly ChannelPlace[]): boolean {
  const byDefault = readText(config, "channels.defaults.groupPolicy") === "open";
  return byDefault || places.some((place) => place.isOpenToStrangers || place.hasOpenGroups);
}
