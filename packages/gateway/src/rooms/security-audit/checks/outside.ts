// Checks about what comes in and goes out by itself: webhooks, hooks, code of others, jobs, models.
import { isIP } from "node:net";
import type { Check, Severity, Weakness } from "../finding.ts";
import { exposureOf } from "./doors.ts";
import {
  formatPlace,
  isForEverybody,
  read,
  readBlock,
  readItems,
  readList,
  readText,
  unsetCommand,
} from "../settings.ts";

const checkWebhookToken: Check = (facts) => {
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
      severity: exposureOf(facts) ? "critical" : "warning",
      title: "The token for webhooks is easy to find out",
      risk: "Whoever finds it can give your agents work in the name of a service.",
      where,
      fix,
    },
  ];
};

const checkWebhookContent: Check = ({ config }) => {
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

const checkWebhookSessions: Check = ({ config }) => {
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
const EVERY_SESSION = "agent:";

const checkHooks: Check = ({ hooks }) =>
  hooks.flatMap(({ name, source, state, path }): Weakness[] => {
    const where = path ?? `the hook "${name}"`;
    if (state === "changed") {
      return [
        {
          id: `hook-changed:${name}`,
          severity: "warning",
          title: `The hook "${name}" is not what you enabled`,
          risk: "Somebody changed its code; it does not run until you have looked at it and enable it again.",
          where,
          fix: `Read it, then chela hooks enable ${name}, or chela hooks disable ${name}`,
        },
      ];
    }
    if (state !== "on" || source === "bundled") return [];
    const isWorkspace = source === "workspace";
    return [
      {
        id: `hook-on:${name}`,
        severity: isWorkspace ? "warning" : "info",
        title: isWorkspace ? `The hook "${name}" comes from a workspace` : `The hook "${name}" runs code of yours`,
        risk: isWorkspace
          ? "It runs with all rights of the gateway, and lies where agents can write; a change stops it until you enable it again."
          : "It runs with all rights of the gateway.",
        where,
        fix: `If you do not need it: chela hooks disable ${name}`,
      },
    ];
  });

const checkExtensions: Check = ({ extensions, config }) => {
  const loaded = [...readList(config, "plugins.load.paths"), ...Object.keys(readBlock(config, "plugins.installs"))];
  const all = [...new Set([...extensions, ...loaded])];
  if (all.length === 0) return [];
  return [
    {
      id: "extensions-present",
      severity: "info",
      title: "There is code of others in the state directory",
      risk: `This version loads none of it, but another program that uses the directory may: ${all.join(", ")}.`,
      where: "extensions",
      fix: "Remove what you do not need.",
    },
  ];
};

const checkTransforms: Check = ({ config }) =>
  readItems(config, "hooks.mappings").flatMap((mapping, index): Weakness[] => {
    const module = readText(mapping, "transform.module");
    if (module === undefined) return [];
    const where = `${formatPlace(["hooks", "mappings", index])}.transform.module`;
    const risk = "It runs with all rights of the gateway on what strangers send.";
    const fix = `Make sure that only you can write ${module}.`;
    return [
      { id: `webhook-transform:${where}`, severity: "info", title: "A webhook runs code of yours", risk, where, fix },
    ];
  });

/** Undefined when nobody on the way can read along. */
function readableOnTheWay(address: string): { readonly host: string; readonly severity: Severity } | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== "http:") return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (host === "localhost" || host.endsWith(".localhost") || host === "::1" || host.startsWith("127."))
    return undefined;
  const isPrivate =
    (isIP(host) === 4 &&
      /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(host)) ||
    (isIP(host) === 6 && /^f[cd]/.test(host)) ||
    /\.(?:local|lan|internal|home\.arpa)$/.test(host) ||
    !host.includes(".");
  return { host, severity: isPrivate ? "info" : "warning" };
}

const checkModels: Check = ({ config }) =>
  Object.entries(readBlock(config, "models.providers")).flatMap(([name, provider]): Weakness[] => {
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

const checkJobs: Check = ({ config, jobs }) => {
  const all = [{ id: "cron.webhook", name: "cron.webhook", urls: [readText(config, "cron.webhook") ?? ""] }, ...jobs];
  return all.flatMap(({ id, name, urls }) =>
    urls.flatMap((url): Weakness[] => {
      const seen = readableOnTheWay(url);
      if (!seen) return [];
      return [
        {
          id: `job-plain-http:${id}`,
          severity: seen.severity,
          title: "Results of a job are sent unencrypted",
          risk: `Everybody on the way to ${seen.host} can read them.`,
          where: id === name ? id : `the job "${name}" (${id})`,
          fix: "Use an address that begins with https://.",
        },
      ];
    }),
  );
};

const checkWebhookAgents: Check = ({ config }) => {
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

export const OUTSIDE_CHECKS: readonly Check[] = [
  checkWebhookToken,
  checkWebhookContent,
  checkWebhookSessions,
  checkWebhookAgents,
  checkTransforms,
  checkHooks,
  checkExtensions,
  checkModels,
  checkJobs,
];
