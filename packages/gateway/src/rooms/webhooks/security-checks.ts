// Security checks about webhooks: what somebody who can send one gets, and how it is kept from others.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { read, readText, readList, readItems, isForEverybody, formatPlace } from "../../base/settings/read-settings.ts";
import { unsetCommand } from "../../base/settings/change-settings.ts";

const checkWebhookToken: SecurityCheck["look"] = (facts) => {
  const { webhookToken, config } = facts;
  if (!webhookToken || read(config, "hooks.enabled") !== true) return [];
  const { secret, isGatewaySecret } = webhookToken;
  const where = "hooks.token";
  const fix = 'chela config set hooks.token "$(openssl rand -hex 24)"';
  if (isGatewaySecret) {
    const risk = "Every service that sends you webhooks holds the credential that controls your agents.";
    return [
      {
        id: "webhook-token-shared",
        severity: "critical",
        title: "Webhooks use the gateway's own credential",
        risk,
        where,
        fix,
      },
    ];
  }
  if (!secret.isGuessable && !secret.isShort) return [];
  return [
    {
      id: "webhook-token-weak",
      severity: facts.exposure ? "critical" : "warning",
      title: "The token for webhooks is easy to find out",
      risk: "Whoever finds it can give your agents work in the name of a service.",
      where,
      fix,
    },
  ];
};

const checkWebhookContent: SecurityCheck["look"] = ({ config }) => {
  const places = readItems(config, "hooks.mappings").flatMap((mapping, index) =>
    mapping["allowUnsafeExternalContent"] === true ? [formatPlace(["hooks", "mappings", index])] : [],
  );
  if (read(config, "hooks.gmail.allowUnsafeExternalContent") === true) places.push("hooks.gmail");
  return places.map((place) => {
    const where = `${place}.allowUnsafeExternalContent`;
    return {
      id: `webhook-unsafe-content:${place}`,
      severity: "warning",
      title: "Text from outside is not marked as such",
      risk: "A request or mail can give the agent orders, because nothing tells it that a stranger wrote them.",
      where,
      fix: `${unsetCommand(where)}, or chela security audit --fix --yes`,
      repair: { kind: "config", path: where },
      asksFirst: true,
    };
  });
};

const EVERY_SESSION = "agent:";

const checkWebhookSessions: SecurityCheck["look"] = ({ config }) => {
  if (read(config, "hooks.enabled") !== true || read(config, "hooks.allowRequestSessionKey") !== true) return [];
  const prefixes = readList(config, "hooks.allowedSessionKeyPrefixes");
  const isNarrow = prefixes.length > 0 && prefixes.every((prefix) => prefix !== "" && prefix !== EVERY_SESSION);
  if (isNarrow) return [];
  return [
    {
      id: "webhook-session-any",
      severity: "warning",
      title: "A webhook may speak in any conversation",
      risk: "Whoever can send one can put words into a conversation you have with your agent.",
      where: "hooks.allowedSessionKeyPrefixes",
      fix: `chela config set hooks.allowedSessionKeyPrefixes '["hook:"]'`,
    },
  ];
};

const checkWebhookAgents: SecurityCheck["look"] = ({ config }) => {
  if (read(config, "hooks.enabled") !== true || !isForEverybody(readList(config, "hooks.allowedAgentIds"))) return [];
  return [
    {
      id: "webhook-agent-any",
      severity: "info",
      title: "A webhook may choose any agent",
      risk: "Whoever can send one picks the agent with the most rights.",
      where: "hooks.allowedAgentIds",
      fix: "Name the agents that webhooks are for.",
    },
  ];
};

const checkTransforms: SecurityCheck["look"] = ({ config }) =>
  readItems(config, "hooks.mappings").flatMap((mapping, index): SecurityWeakness[] => {
    const module = readText(mapping, "transform.module");
    if (module === undefined) return [];
    const where = `${formatPlace(["hooks", "mappings", index])}.transform.module`;
    const risk = "It runs with all rights of the gateway on what strangers send.";
    const fix = `Make sure that only you can write ${module}.`;
    return [
      { id: `webhook-transform:${where}`, severity: "info", title: "A webhook runs code of yours", risk, where, fix },
    ];
  });

const LOOKS = [checkWebhookToken, checkWebhookContent, checkWebhookSessions, checkWebhookAgents, checkTransforms];

export const checks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "outside", look }));
