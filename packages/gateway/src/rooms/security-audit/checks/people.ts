// Checks about people: who may speak to agents, who may give commands, and whose word counts as the owner's.
import { commandFreedom, rulePlaces } from "../agents.ts";
import { channelPlaces, directList, directPolicy, hasOpenGroups, isOpenToStrangers } from "../channels.ts";
import type { SecurityFacts } from "../facts.ts";
import type { Check, Repair, Severity, Weakness } from "../finding.ts";
import {
  eachKey,
  formatPlace,
  isForEverybody,
  isSettings,
  read,
  readBlock,
  readList,
  readText,
  setCommand,
  withoutEverybody,
  writtenWithoutEverybody,
} from "../settings.ts";

const MANY_PEOPLE = 25;

/** Whoever gets an agent to run commands without a yes has the machine. */
function severityOfStrangers(facts: SecurityFacts): Severity {
  return commandFreedom(facts) === "free" ? "critical" : "warning";
}

function whatStrangersCan(facts: SecurityFacts): string {
  return {
    free: "and make it run commands on this machine without asking you",
    asked: "spend your money, and try to talk it into things",
    none: "and spend your money",
  }[commandFreedom(facts)];
}

const checkDirectMessages: Check = (facts) =>
  channelPlaces(facts.config)
    .filter(isOpenToStrangers)
    .map((place): Weakness => {
      const { key } = directList(place);
      const direct = directPolicy(place);
      if (direct?.policy === "open") {
        return {
          id: `dm-open:${place.at}`,
          severity: severityOfStrangers(facts),
          title: "Everybody may write to the agent",
          risk: `Any stranger can use it, ${whatStrangersCan(facts)}.`,
          where: `${place.at}.${direct.key}`,
          fix: setCommand(`${place.at}.${direct.key}`, "pairing"),
        };
      }
      return {
        id: `dm-wildcard:${place.at}`,
        severity: severityOfStrangers(facts),
        title: "The list of people holds everybody",
        risk: `"*" lets any stranger use the agent, ${whatStrangersCan(facts)}.`,
        where: `${place.at}.${key}`,
        fix: `Take "*" out of ${place.at}.${key}, and name people by id or let them pair.`,
        ...withoutWildcard(`${place.at}.${key}`, read(place.own, key)),
      };
    });

/** Only where the people who are named stay in. */
function withoutWildcard(path: string, list: unknown): { readonly repair?: Repair } {
  const named = writtenWithoutEverybody(list);
  return named.length > 0 ? { repair: { kind: "config", path, value: named } } : {};
}

const checkGroups: Check = (facts) => {
  const open = channelPlaces(facts.config).filter(hasOpenGroups);
  const places = open.map(({ at }) => `${at}.groupPolicy`);
  if (readText(facts.config, "channels.defaults.groupPolicy") === "open") places.push("channels.defaults.groupPolicy");
  return places.map((where) => ({
    id: `group-open:${where}`,
    severity: severityOfStrangers(facts),
    title: "Everybody in a group may use the agent",
    risk: `Whoever is in a group with it, or adds it to one, can use it, ${whatStrangersCan(facts)}.`,
    where,
    fix: `${setCommand(where, "allowlist")}, and name the groups or people.`,
  }));
};

const GROUP_LISTS = ["groupAllowFrom", "users", "allowFrom"];

const checkGroupLists: Check = (facts) =>
  channelPlaces(facts.config).flatMap(({ at, own }) => {
    const found: Weakness[] = [];
    eachKey(own, (key, value, place) => {
      const isDirect = key === "allowFrom" && (place.length === 1 || place[0] === "dm");
      const isList = GROUP_LISTS.includes(key) && Array.isArray(value) && !isDirect;
      const list = isList ? readList({ value }, "value") : [];
      if (!isForEverybody(list)) return;
      const where = `${at}.${formatPlace(place)}`;
      found.push({
        id: `group-wildcard:${where}`,
        severity: "warning",
        title: "A group's list of people holds everybody",
        risk: `Whoever is in the group can use the agent, ${whatStrangersCan(facts)}.`,
        where,
        fix: `Take "*" out of ${where}, and name people by id.`,
        ...withoutWildcard(where, value),
      });
    });
    return found;
  });

const checkApprovers: Check = ({ config }) =>
  channelPlaces(config)
    .filter(({ own }) => isForEverybody(readList(own, "execApprovals.approvers")))
    .map(({ at }) => ({
      id: `approvers-wildcard:${at}`,
      severity: "critical",
      title: "Everybody is named as somebody who approves commands",
      risk: "A stranger who asks for a command could be taken for somebody who may allow it.",
      where: `${at}.execApprovals.approvers`,
      fix: "Name the people who may approve, by id.",
    }));

const APART = "chela config set session.dmScope per-channel-peer";

/** Guests and strangers share with nobody; everybody else does as it is written. */
const checkSharedConversation: Check = ({ config }) => {
  const places = channelPlaces(config);
  const scope = readText(config, "session.dmScope");
  const isGlobal = scope === undefined && readText(config, "session.scope") === "global";
  if (places.length === 0 || (scope !== "main" && !isGlobal)) return [];
  const people = new Set(places.flatMap((place) => withoutEverybody(directList(place).list)));
  const canPair = places.some((place) => (directPolicy(place)?.policy ?? "pairing") === "pairing");
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
const checkSeveralOwners: Check = ({ config }) => {
  const scope = readText(config, "session.dmScope");
  if (scope !== undefined && scope !== "main") return [];
  const named = withoutEverybody(readList(config, "commands.ownerAllowFrom"));
  const listed = channelPlaces(config).map((place) => ({
    where: `${place.at}.${directList(place).key}`,
    ids: withoutEverybody(directList(place).list),
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

const MOST_TOLD = 5;

const checkSameIds: Check = ({ config }) => {
  const channels = new Set(channelPlaces(config).map(({ at }) => at.split(".")[1]));
  if (readText(config, "session.dmScope") !== "per-peer" || channels.size < 2) return [];
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

const checkLinkedIds: Check = ({ config }) =>
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

const checkOwners: Check = ({ config }) => {
  const where = "commands.ownerAllowFrom";
  const owners = readList(config, where);
  if (isForEverybody(owners)) {
    return [
      {
        id: "owner-wildcard",
        severity: "warning",
        title: "Everybody is named as owner",
        risk: '"*" makes nobody an owner here, but other programs that read this file may think it does.',
        where,
        fix: 'Take "*" out, and name the owners by id.',
        ...withoutWildcard(where, read(config, where)),
      },
    ];
  }
  if (channelPlaces(config).length === 0 || owners.length > 0) return [];
  return [
    {
      id: "owner-nobody",
      severity: "info",
      title: "No owner is named",
      risk: "Commands for owners can only be given by people who were made owner when they paired.",
      where,
      fix: `chela config set ${where} '["<channel>:<your id>"]'`,
    },
  ];
};

const checkCommands: Check = ({ config }) => {
  const found: Weakness[] = [];
  for (const [channel, list] of Object.entries(readBlock(config, "commands.allowFrom"))) {
    const people = readList({ list }, "list");
    const where = formatPlace(["commands", "allowFrom", channel]);
    if (!isForEverybody(people)) continue;
    found.push({
      id: `commands-wildcard:${channel}`,
      severity: "warning",
      title: "Everybody may give commands",
      risk: "Whoever may speak can change models, stop turns and start conversations anew.",
      where,
      fix: `Take "*" out of ${where}, and name people by id.`,
      ...withoutWildcard(where, list),
    });
  }
  if (read(config, "commands.useAccessGroups") === false) {
    found.push({
      id: "commands-unguarded",
      severity: "warning",
      title: "Whoever may speak may give commands",
      risk: "Somebody in a group can change models, stop turns and start conversations anew.",
      where: "commands.useAccessGroups",
      fix: "chela config unset commands.useAccessGroups",
      repair: { kind: "config", path: "commands.useAccessGroups" },
      asksFirst: true,
    });
  }
  for (const [key, what] of [
    ["bash", "run commands on this machine"],
    ["config", "change the configuration"],
    ["debug", "change settings of the running gateway"],
  ] as const) {
    if (read(config, `commands.${key}`) !== true) continue;
    found.push({
      id: `commands-${key}`,
      severity: key === "bash" ? "warning" : "info",
      title: `A chat message can ${what}`,
      risk: `Whoever takes over an owner's account on a channel can ${what}.`,
      where: `commands.${key}`,
      fix: `chela config unset commands.${key}`,
    });
  }
  return found;
};

const checkElevated: Check = (facts) =>
  rulePlaces(facts).flatMap(({ toolsAt, tools }) =>
    Object.entries(readBlock(tools, "elevated.allowFrom")).flatMap(([channel, value]): Weakness[] => {
      const list = isSettings(value) ? [] : readList({ value }, "value");
      const where = `${toolsAt}.${formatPlace(["elevated", "allowFrom", channel])}`;
      const isWide = isForEverybody(list);
      if (!isWide && list.length <= MANY_PEOPLE) return [];
      return [
        {
          id: `elevated-wide:${where}`,
          severity: isWide ? "critical" : "warning",
          title: isWide ? "Everybody may use elevated commands" : "Very many people may use elevated commands",
          risk: "Elevated commands leave the sandbox, so each of these people has this machine.",
          where,
          fix: "Name the few people who need it, by id.",
          ...(isWide ? withoutWildcard(where, value) : {}),
        },
      ];
    }),
  );

export const PEOPLE_CHECKS: readonly Check[] = [
  checkDirectMessages,
  checkGroups,
  checkGroupLists,
  checkApprovers,
  checkSharedConversation,
  checkSeveralOwners,
  checkSameIds,
  checkLinkedIds,
  checkOwners,
  checkCommands,
  checkElevated,
];
