// Security checks about code of others that lies in the state directory.
import type { SecurityCheck } from "@chela/sdk";
import { readBlock, readList } from "../../../base/settings/read-settings.ts";

const checkExtensions: SecurityCheck["look"] = ({ extensions, config }) => {
  const loaded = [...readList(config, "plugins.load.paths"), ...Object.keys(readBlock(config, "plugins.installs"))];
  const all = [...new Set([...extensions, ...loaded])];
  if (all.length === 0) return [];
  return [
    {
      id: "extensions-present",
      severity: "info",
      title: "There is code of others in the state directory",
      risk: `What was approved of it runs, within its grants; another program that uses the directory may run all: ${all.join(", ")}.`,
      where: "extensions",
      fix: "chela plugins list shows them; remove what you do not need.",
    },
  ];
};

export const extensionChecks: readonly SecurityCheck[] = [{ topic: "outside", look: checkExtensions }];
