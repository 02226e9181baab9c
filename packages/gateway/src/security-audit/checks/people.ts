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

const checkSharedConversation: Check = ({ config }) => {
  const scope = readText(config, "session.dmScope") ?? "main";
  const places = channelPlaces(config);
  if (scope !== "main") return [];
  const isOpen = places.some(isOpenToStrangers);
  const people = places.flatMap((place) => withoutEverybody(directList(place).list));
  if (!isOpen && new Set(people).size < 2) return [];
  return [
    {
      id: "dm-shared-conversation",
      severity: isOpen ? "warning" : "info",
      title: "People who write directly share one conversation",
      risk: "The agent can tell one person what another one told it.",
      where: "session.dmScope",
      fix: "chela config set session.dmScope per-channel-peer",
    },
  ];
};

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
  checkOwners,
  checkCommands,
  checkElevated,
];
