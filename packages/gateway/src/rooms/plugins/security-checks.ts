// Security checks about plugins: code of others, by what the configuration says of it.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { readBlock } from "../../base/settings/read-settings.ts";

/** In the gateway's own process nothing keeps code from anything. */
const checkTrusted: SecurityCheck["look"] = ({ config }) =>
  Object.keys(readBlock(config, "plugins.trusted")).map((id): SecurityWeakness => ({
    id: `plugin-trusted:${id}`,
    severity: "warning",
    title: `The plugin "${id}" runs in the gateway's own process`,
    risk: "It reads every secret and every conversation, and no grant limits it.",
    where: `plugins.trusted.${id}`,
    fix: `If it also works in a process of its own: chela config unset plugins.trusted.${id}`,
  }));

const checkWalls: SecurityCheck["look"] = ({ config }) =>
  readBlock(config, "plugins")["walls"] === "node"
    ? [
        {
          id: "plugin-walls",
          severity: "warning",
          title: "Plugins are kept by Node's permissions alone",
          risk: "Nothing keeps a plugin from the network, or from signals to other processes of this user.",
          where: "plugins.walls",
          fix: "chela config unset plugins.walls",
          repair: { kind: "config", path: "plugins.walls" },
        },
      ]
    : [];

export const checks: readonly SecurityCheck[] = [checkTrusted, checkWalls].map((look) => ({
  topic: "outside",
  look,
}));
