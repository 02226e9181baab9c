// `cron`, `hooks`, `commands`, `approvals`: what runs by itself, what people may order, what needs a yes.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  bool,
  boolOrAuto,
  choice,
  idList,
  item,
  listOf,
  mapOf,
  nonEmptyText,
  positive,
  secret,
  secretMap,
} from "./leaf.ts";
import { text, textOrFalse, textOrNumber, texts, wholeNumber } from "./leaf.ts";
import { installShape, tailscaleMode } from "./shared.ts";

export const cronSection = once(() =>
  block(() => ({
    enabled: bool(),
    store: text(),
    maxConcurrentRuns: positive(),
    webhook: text(),
    webhookToken: secret(),
    sessionRetention: textOrFalse(),
    runLog: block(() => ({ maxBytes: textOrNumber(), keepLines: positive() })),
  })),
);

export const hooksSection = once(() =>
  block(() => ({
    enabled: bool(),
    path: text(),
    token: secret(),
    defaultSessionKey: text(),
    allowRequestSessionKey: bool(),
    allowedSessionKeyPrefixes: texts(),
    allowedAgentIds: texts(),
    maxBodyBytes: positive(),
    presets: texts(),
    transformsDir: text(),
    mappings: listOf(item(mappingShape)),
    gmail: gmail(),
    internal: block(() => ({
      enabled: bool(),
      handlers: listOf(item(() => ({ event: text(), module: text(), export: text() }))),
      entries: mapOf(z.lazy(() => z.object({ enabled: bool(), env: secretMap() }).catchall(z.unknown()))),
      load: block(() => ({ extraDirs: texts() })),
      installs: mapOf(item(() => ({ ...installShape(), hooks: texts() }))),
    })),
  })),
);

const mappingShape = () => ({
  id: text(),
  preset: choice("github", "gmail", "stripe", "sentry", "generic"),
  match: block(() => ({ path: text(), source: text() })),
  action: choice("wake", "agent"),
  wakeMode: choice("now", "next-heartbeat"),
  name: text(),
  agentId: text(),
  sessionKey: text(),
  messageTemplate: text(),
  textTemplate: text(),
  instructions: text(),
  deliver: bool(),
  allowUnsafeExternalContent: bool(),
  // Every channel, also one that comes in a package of its own.
  channel: text(),
  to: text(),
  model: text(),
  thinking: text(),
  timeoutSeconds: positive(),
  tools: block(() => ({ allow: texts(), deny: texts() })),
  dedupe: text(),
  signature: block(() => ({
    type: choice("github", "stripe", "slack", "sentry", "standard", "chela", "generic"),
    secret: secret(),
    header: text(),
    toleranceSeconds: positive(),
  })),
  transform: block(() => ({ module: text(), export: text() })),
});

const gmail = () =>
  block(() => ({
    account: text(),
    label: text(),
    topic: text(),
    subscription: text(),
    pushToken: secret(),
    hookUrl: text(),
    includeBody: bool(),
    maxBytes: positive(),
    renewEveryMinutes: positive(),
    allowUnsafeExternalContent: bool(),
    serve: block(() => ({ bind: text(), port: positive(), path: text() })),
    tailscale: block(() => ({ mode: tailscaleMode(), path: text(), target: text() })),
    model: text(),
    thinking: choice("off", "minimal", "low", "medium", "high"),
  }));

export const commandsSection = once(() =>
  block(() => ({
    native: boolOrAuto(),
    nativeSkills: boolOrAuto(),
    text: bool(),
    bash: bool(),
    bashForegroundMs: wholeNumber(0, 30_000),
    config: bool(),
    debug: bool(),
    restart: bool(),
    useAccessGroups: bool(),
    ownerAllowFrom: idList(),
    ownerDisplay: choice("raw", "hash"),
    ownerDisplaySecret: secret(),
    allowFrom: mapOf(idList().unwrap()),
  })),
);

export const approvalsSection = once(() =>
  block(() => ({
    exec: block(() => ({
      enabled: bool(),
      mode: choice("session", "targets", "both"),
      agentFilter: texts(),
      sessionFilter: texts(),
      targets: listOf(
        item(() => ({ channel: nonEmptyText(), to: nonEmptyText(), accountId: text(), threadId: textOrNumber() })),
      ),
    })),
  })),
);
