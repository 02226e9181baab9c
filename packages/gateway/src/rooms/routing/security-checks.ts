// Security checks about conversations: who shares one with whom.
import type { SecurityCheck } from "@chela/sdk";
import { readBlock, readText, readList, withoutEverybody } from "../../base/settings/read-settings.ts";

const APART = "chela config set session.dmScope per-channel-peer";

const MOST_TOLD = 5;

/** Guests and strangers share with nobody; everybody else does as it is written. */
const checkSharedConversation: SecurityCheck["look"] = ({ config, channels }) => {
  const scope = readText(config, "session.dmScope");
  const isGlobal = scope === undefined && readText(config, "session.scope") === "global";
  if (channels.length === 0 || (scope !== "main" && !isGlobal)) return [];
  const people = new Set(channels.flatMap((place) => withoutEverybody(place.people.list)));
  const canPair = channels.some((place) => (place.direct?.policy ?? "pairing") === "pairing");
  if (!canPair && people.size < 2) return [];
  const who = [people.size > 1 ? `${people.size} people are named` : "", canPair ? "more can be approved" : ""];
  return [
    {
      id: "dm-shared-conversation",
      severity: "warning",
      title: "People who write directly share the owner's conversation",
      risk: `Whoever is named, approved or a member reads what the others said there (${who.filter(Boolean).join(", ")}).`,
      where: isGlobal ? "session.scope" : "session.dmScope",
      fix: APART,
    },
  ];
};

/** Owners share the main conversation by preset, so it should be known who they are. */
const checkSeveralOwners: SecurityCheck["look"] = ({ config, channels }) => {
  const scope = readText(config, "session.dmScope");
  if (scope !== undefined && scope !== "main") return [];
  const named = withoutEverybody(readList(config, "commands.ownerAllowFrom"));
  const listed = channels.map((place) => ({
    where: `${place.at}.${place.people.key}`,
    ids: withoutEverybody(place.people.list),
  }));
  const found =
    named.length > 0
      ? [{ where: "commands.ownerAllowFrom", ids: named.filter((id) => isOnOneChannel(id, named)) }]
      : listed;
  return found
    .filter(({ ids }) => new Set(ids).size > 1)
    .map(({ where, ids }) => ({
      id: `owners-share:${where}`,
      severity: "info",
      title: "Several ids are owners, and share one conversation",
      risk: `${ids.slice(0, MOST_TOLD).join(", ")} have the owner's conversation, notes, tools and commands on this machine. Right for one person with several ids.`,
      where,
      fix: `Name the owner alone: chela config set commands.ownerAllowFrom '["<channel>:<your id>"]'`,
    }));
};

/** Ids of one person on several channels are nothing to speak of; two on one channel mostly are two people. */
function isOnOneChannel(id: string, all: readonly string[]): boolean {
  const channelOf = (one: string): string => (one.includes(":") ? one.slice(0, one.indexOf(":")) : "");
  return all.filter((other) => channelOf(other) === channelOf(id)).length > 1;
}

const checkSameIds: SecurityCheck["look"] = ({ config, channels }) => {
  const named = new Set(channels.map(({ at }) => at.split(".")[1]));
  if (readText(config, "session.dmScope") !== "per-peer" || named.size < 2) return [];
  return [
    {
      id: "dm-same-ids",
      severity: "info",
      title: "People with the same id on two channels share a conversation",
      risk: "With per-peer an id stands for a person whatever the channel is: a name on IRC may be somebody else's on XMPP.",
      where: "session.dmScope",
      fix: APART,
    },
  ];
};

const checkLinkedIds: SecurityCheck["look"] = ({ config }) =>
  Object.entries(readBlock(config, "session.identityLinks") ?? {})
    .filter(([, ids]) => Array.isArray(ids) && ids.length > 1)
    .map(([name, ids]) => ({
      id: `linked-ids:${name}`,
      severity: "info",
      title: "Several ids are written as one person",
      risk: `Whoever has one of ${(ids as unknown[]).slice(0, MOST_TOLD).map(String).join(", ")} has the conversation of "${name}".`,
      where: `session.identityLinks.${name}`,
      fix: "Look whether all of them are that person's; take out what is not.",
    }));

const LOOKS = [checkSharedConversation, checkSeveralOwners, checkSameIds, checkLinkedIds];

export const checks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "people", look }));
