// Security checks about words for the gateway: who may give which.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { read, readBlock, readList, isForEverybody, formatPlace } from "../../base/settings/read-settings.ts";
import { withoutWildcard } from "../../base/settings/change-settings.ts";

const checkOwners: SecurityCheck["look"] = ({ config, channels }) => {
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
  if (channels.length === 0 || owners.length > 0) return [];
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

const checkCommands: SecurityCheck["look"] = ({ config }) => {
  const found: SecurityWeakness[] = [];
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

const LOOKS = [checkOwners, checkCommands];

export const checks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "people", look }));
