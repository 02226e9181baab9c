// Security checks about devices: what they may be told to do.
import type { SecurityCheck } from "@chela/sdk";
import { readList, isForEverybody } from "../../base/settings/read-settings.ts";

const checkNodes: SecurityCheck["look"] = ({ config }) => {
  if (!isForEverybody(readList(config, "gateway.nodes.allowCommands"))) return [];
  return [
    {
      id: "nodes-any-command",
      severity: "warning",
      title: "Nodes may be told to do anything",
      risk: "Every command a paired device knows can be called, also those that are not known to be harmless.",
      where: "gateway.nodes.allowCommands",
      fix: "Name the commands you use, instead of *.",
    },
  ];
};

export const checks: readonly SecurityCheck[] = [{ topic: "side doors", look: checkNodes }];
