// Security checks about calls to models: who can read them on their way.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { readBlock, readText, formatPlace } from "../../base/settings/read-settings.ts";
import { readableOnTheWay } from "../../base/http/readable-on-the-way.ts";

const checkModels: SecurityCheck["look"] = ({ config }) =>
  Object.entries(readBlock(config, "models.providers")).flatMap(([name, provider]): SecurityWeakness[] => {
    const seen = readableOnTheWay(readText(provider, "baseUrl") ?? "");
    if (!seen) return [];
    const where = `${formatPlace(["models", "providers", name])}.baseUrl`;
    return [
      {
        id: `model-plain-http:${name}`,
        severity: seen.severity,
        title: `Calls to ${name} are not encrypted`,
        risk: `Everybody on the way to ${seen.host} can read your conversations and the key.`,
        where,
        fix: "Use https://, or a tunnel to the machine.",
      },
    ];
  });

export const checks: readonly SecurityCheck[] = [{ topic: "outside", look: checkModels }];
