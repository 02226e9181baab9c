// Which keys this version acts on. All others are accepted, kept, and reported as "not used yet".
import { CHANNEL_KEYS } from "./channel-keys.ts";
import { keyTree, type KeyPlace } from "./key-tree.ts";
import { isObject, type Path } from "./path.ts";

/** What all agents and a single one may say about tools. */
const TOOLS = [
  "profile",
  "allow",
  "alsoAllow",
  "deny",
  "byProvider",
  "elevated",
  "fs",
  "loopDetection",
  "sandbox",
  "exec",
];

/** What can be said of every way to write down speech, and of one. */
const SPEECH = ["maxChars", "maxBytes", "prompt", "timeoutSeconds", "language", "baseUrl", "headers"];
const SPEECH_MODEL = [...SPEECH, "provider", "model", "profile", "preferredProfile", "type", "command", "args"];

/** What all agents and a single one may say about their sandbox; browsers in sandboxes are read and kept. */
const SANDBOX = [
  "mode",
  "backend",
  "scope",
  "perSession",
  "workspaceAccess",
  "workspaceRoot",
  "allowHosts",
  "limits",
  "docker",
  "prune",
];

/** What all agents and a single one may say about their memory. */
const MEMORY = [
  "enabled",
  "sources",
  "extraPaths",
  "experimental.sessionMemory",
  "provider",
  "remote.baseUrl",
  "remote.apiKey",
  "remote.headers",
  "fallback",
  "model",
  "local.modelPath",
  "store.driver",
  "store.path",
  "store.vector.enabled",
  "chunking",
  "sync.onSearch",
  "sync.watch",
  "sync.watchDebounceMs",
  "query",
  "cache",
];

/** What all agents and a single one may say about their heartbeat. */
const HEARTBEAT = [
  "every",
  "activeHours",
  "model",
  "session",
  "includeReasoning",
  "target",
  "directPolicy",
  "to",
  "accountId",
  "prompt",
  "ackMaxChars",
  "lightContext",
  "always",
];

/** What other programs may send. */
const WEBHOOKS = [
  "enabled",
  "path",
  "token",
  "defaultSessionKey",
  "allowRequestSessionKey",
  "allowedSessionKeyPrefixes",
  "allowedAgentIds",
  "maxBodyBytes",
  "presets",
  "transformsDir",
  "mappings",
  "gmail.allowUnsafeExternalContent",
  "gmail.model",
  "gmail.thinking",
];

/** A key stands for everything below it; `*` for any name or place in a list. Read only where there are channels. */
const IN_CHANNELS = keyTree(() => [
  "channels.defaults.groupPolicy",
  "channels.defaults.heartbeat.showAlerts",
  "channels.defaults.heartbeat.useIndicator",
  ...Object.keys(CHANNEL_KEYS).map((channel) => `channels.${channel}.defaultAccount`),
  ...Object.entries(CHANNEL_KEYS).flatMap(([channel, keys]) =>
    keys.flatMap((key) => [`channels.${channel}.${key}`, `channels.${channel}.accounts.*.${key}`]),
  ),
]);

/** The same for all other sections. */
const ELSEWHERE = keyTree(() => [
  "$schema",
  "meta",
  "env",
  "wizard",
  "logging",
  "ui.assistant",
  "secrets.providers",
  "secrets.defaults.file",
  "secrets.defaults.exec",
  "auth",
  "models.mode",
  "models.providers",
  "budgets",
  "audit",
  ...SANDBOX.flatMap((key) => [`agents.defaults.sandbox.${key}`, `agents.list.*.sandbox.${key}`]),
  ...MEMORY.flatMap((key) => [`agents.defaults.memorySearch.${key}`, `agents.list.*.memorySearch.${key}`]),
  "memory.citations",
  "memory.learning",
  "agents.defaults.model",
  "agents.defaults.imageModel",
  "agents.defaults.models.*.alias",
  "agents.defaults.workspace",
  "agents.defaults.skipBootstrap",
  "agents.defaults.bootstrapMaxChars",
  "agents.defaults.bootstrapTotalMaxChars",
  "agents.defaults.contextTokens",
  "agents.defaults.contextPruning",
  "agents.defaults.compaction",
  "agents.defaults.thinkingDefault",
  "agents.defaults.elevatedDefault",
  "agents.defaults.timeoutSeconds",
  "agents.defaults.maxConcurrent",
  "agents.defaults.userTimezone",
  "agents.defaults.subagents",
  "agents.defaults.verboseDefault",
  "agents.defaults.mediaMaxMb",
  "agents.defaults.imageMaxDimensionPx",
  "agents.defaults.humanDelay",
  "agents.defaults.typingMode",
  "agents.defaults.typingIntervalSeconds",
  "agents.defaults.blockStreamingDefault",
  "agents.defaults.blockStreamingBreak",
  "agents.defaults.blockStreamingChunk",
  "agents.defaults.blockStreamingCoalesce",
  ...HEARTBEAT.map((key) => `agents.defaults.heartbeat.${key}`),
  ...HEARTBEAT.map((key) => `agents.list.*.heartbeat.${key}`),
  "agents.list.*.id",
  "agents.list.*.default",
  "agents.list.*.name",
  "agents.list.*.workspace",
  "agents.list.*.agentDir",
  "agents.list.*.model",
  "agents.list.*.identity",
  "agents.list.*.subagents",
  "agents.list.*.groupChat",
  "agents.list.*.humanDelay",
  ...TOOLS.map((key) => `agents.list.*.tools.${key}`),
  ...TOOLS.map((key) => `tools.${key}`),
  "tools.web",
  "tools.media.audio.enabled",
  ...SPEECH.map((key) => `tools.media.audio.${key}`),
  ...SPEECH_MODEL.map((key) => `tools.media.audio.models.*.${key}`),
  ...[...SPEECH_MODEL, "capabilities"].map((key) => `tools.media.models.*.${key}`),
  "tools.message",
  "tools.sessions",
  "tools.agentToAgent",
  "tools.subagents",
  "commands.config",
  "commands.debug",
  "commands.restart",
  "commands.ownerAllowFrom",
  "commands.allowFrom",
  "commands.useAccessGroups",
  "commands.native",
  "approvals.exec",
  ...WEBHOOKS.map((key) => `hooks.${key}`),
  "hooks.internal.enabled",
  "hooks.internal.entries",
  "hooks.internal.handlers",
  "hooks.internal.load.extraDirs",
  "bindings",
  "messages.responsePrefix",
  "messages.groupChat",
  "messages.queue.mode",
  "messages.queue.byChannel",
  "messages.queue.debounceMs",
  "messages.queue.debounceMsByChannel",
  "messages.queue.cap",
  "messages.queue.drop",
  "messages.inbound",
  "messages.ackReaction",
  "messages.ackReactionScope",
  "messages.removeAckAfterReply",
  "messages.statusReactions",
  "media.preserveFilenames",
  "media.ttlHours",
  "audio.transcription",
  "cron",
  "session.mainKey",
  "session.scope",
  "session.store",
  "session.maintenance",
  "session.idleMinutes",
  "session.reset",
  "session.resetByType",
  "session.resetByChannel",
  "session.resetTriggers",
  "session.dmScope",
  "session.identityLinks",
  "session.sendPolicy",
  "session.typingMode",
  "session.typingIntervalSeconds",
  "session.agentToAgent",
  "gateway.port",
  "gateway.mode",
  "gateway.bind",
  "gateway.customBindHost",
  "gateway.controlUi",
  "gateway.auth",
  "gateway.trustedProxies",
  "gateway.tools",
  "gateway.allowRealIpFallback",
  "gateway.tailscale.mode",
  "gateway.tls.enabled",
  "gateway.tls.autoGenerate",
  "gateway.tls.certPath",
  "gateway.tls.keyPath",
  "gateway.remote.url",
  "gateway.remote.token",
  "gateway.remote.password",
  "gateway.remote.tlsFingerprint",
  "gateway.reload",
  "gateway.http.endpoints.chatCompletions.enabled",
  "gateway.http.endpoints.responses.enabled",
  "gateway.http.securityHeaders",
  "gateway.nodes.allowCommands",
  "gateway.nodes.denyCommands",
]);

function implementedAt(path: readonly string[]): KeyPlace {
  return path[0] === "channels" ? IN_CHANNELS(path) : ELSEWHERE(path);
}

/** Inside an implemented part, but not done. */
const EXCEPTIONS = keyTree(() => [
  // Variables are not imported from a login shell.
  "env.shellEnv",
  // Programs that tell secrets are run with fixed limits, and never from a path that others may change.
  "secrets.providers.*.noOutputTimeoutMs",
  "secrets.providers.*.allowInsecurePath",
  "secrets.providers.*.allowSymlinkCommand",
  // No container joins the namespaces of another one.
  "agents.defaults.sandbox.docker.dangerouslyAllowContainerNamespaceJoin",
  "agents.list.*.sandbox.docker.dangerouslyAllowContainerNamespaceJoin",
  // Commands run on the gateway's machine, and nowhere else.
  "tools.exec.host",
  "tools.exec.node",
  "agents.list.*.tools.exec.host",
  "agents.list.*.tools.exec.node",
  "agents.list.*.tools.exec.approvalRunningNoticeMs",
]);

export function isImplemented(path: readonly string[]): boolean {
  return implementedAt(path).isNamed && !EXCEPTIONS(path).isNamed;
}

const MOST_NAMED = 4;

/** What is said of such keys, wherever it is said. Undefined when there are none. */
export function unusedSentence(paths: readonly string[], most = MOST_NAMED): string | undefined {
  const [first] = paths;
  if (first === undefined) return undefined;
  if (paths.length === 1) return `${first} has no effect in this version.`;
  const more = paths.length > most ? ` and ${paths.length - most} more` : "";
  return `${paths.length} settings have no effect in this version: ${paths.slice(0, most).join(", ")}${more}.`;
}

/** The keys of a config that have no effect in this version; of a part that is unused as a whole, only the part itself. */
export function notUsedYet(value: unknown, path: Path = []): Path[] {
  const keys = path.map(String);
  const [implemented, exceptions] = [implementedAt(keys), EXCEPTIONS(keys)];
  const isUsed = implemented.isNamed && !exceptions.isNamed;
  if (path.length > 0 && isUsed && !exceptions.isNamedBelow) return [];
  if (path.length > 0 && !isUsed && !implemented.isNamedBelow) return [path];
  if (Array.isArray(value)) return value.flatMap((entry, index) => notUsedYet(entry, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => notUsedYet(entry, [...path, key]));
}

/** The config without the keys that have no effect, for those who judge what it does. */
export function usedParts(value: unknown, path: Path = []): unknown {
  const isUnused = path.length > 0 && notUsedYet(value, path).some((unused) => unused.length === path.length);
  if (isUnused) return undefined;
  if (Array.isArray(value)) return value.map((entry, index) => usedParts(entry, [...path, index]));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([key, entry]) => [key, usedParts(entry, [...path, key])] as const);
  return Object.fromEntries(parts.filter(([, entry]) => entry !== undefined));
}
