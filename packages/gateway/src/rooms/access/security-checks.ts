// Security checks about who may speak: strangers, groups, and lists that hold everybody.
import type { SecurityCheck, SecurityFacts, SecuritySeverity, SecurityWeakness } from "@chela/sdk";
import { read, readText, readList, isForEverybody, formatPlace, eachKey } from "../../base/settings/read-settings.ts";
import { setCommand, withoutWildcard } from "../../base/settings/change-settings.ts";

function whatStrangersCan(facts: SecurityFacts): string {
  return {
    free: "and make it run commands on this machine without asking you",
    asked: "spend your money, and try to talk it into things",
    none: "and spend your money",
  }[facts.freedom];
}

/** Whoever gets an agent to run commands without a yes has the machine. */
function severityOfStrangers(facts: SecurityFacts): SecuritySeverity {
  return facts.freedom === "free" ? "critical" : "warning";
}

const checkDirectMessages: SecurityCheck["look"] = (facts) =>
  facts.channels
    .filter(({ isOpenToStrangers }) => isOpenToStrangers)
    .map((place): SecurityWeakness => {
      const { key } = place.people;
      const direct = place.direct;
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

const checkGroups: SecurityCheck["look"] = (facts) => {
  const open = facts.channels.filter(({ hasOpenGroups }) => hasOpenGroups);
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

const checkGroupLists: SecurityCheck["look"] = (facts) =>
  facts.channels.flatMap(({ at, own }) => {
    const found: SecurityWeakness[] = [];
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

const LOOKS = [checkDirectMessages, checkGroups, checkGroupLists];

export const checks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "people", look }));
