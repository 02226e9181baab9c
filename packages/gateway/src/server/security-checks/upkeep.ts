// Security checks about what the gateway writes and what it runs on: the log, and Node itself.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { read, readText } from "../../base/settings/read-settings.ts";

const checkRedaction: SecurityCheck["look"] = ({ config }) => {
  const found: SecurityWeakness[] = [];
  if (readText(config, "logging.redactSensitive") === "off") {
    found.push({
      id: "redaction-off",
      severity: "warning",
      title: "Secrets are not taken out of the log",
      risk: "Whoever reads the log, or gets it with a report, can read the credentials that tools were given.",
      where: "logging.redactSensitive",
      fix: "chela config unset logging.redactSensitive",
      repair: { kind: "config", path: "logging.redactSensitive" },
    });
  }
  if (read(config, "diagnostics.cacheTrace.enabled") === true) {
    found.push({
      id: "cache-trace-on",
      severity: "info",
      title: "What models are told is written to a file",
      risk: "The file holds whole conversations, and nobody takes secrets out of it.",
      where: "diagnostics.cacheTrace.enabled",
      fix: "chela config unset diagnostics.cacheTrace.enabled",
    });
  }
  return found;
};

const checkNode: SecurityCheck["look"] = ({ nodeVersion, neededNode }) =>
  Number(nodeVersion.split(".")[0]) >= neededNode
    ? []
    : [
        {
          id: "node-old",
          severity: "warning",
          title: `Node ${nodeVersion} is too old`,
          risk: "Flaws that were found in it since are not repaired.",
          where: "node",
          fix: `Install Node ${neededNode} or newer from https://nodejs.org`,
        },
      ];

const LOOKS = [checkRedaction, checkNode];

export const upkeepChecks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "upkeep", look }));
