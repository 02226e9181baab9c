// Which places of the configuration decide over safety: who may do what, what is run, where secrets go. One table for all.
import type { Path } from "./path.ts";

/**
 * Places without the numbers of list entries; `*` stands for one name. A place counts with all that is in it, unless
 * something more exact is in the other list. What is in neither list counts as guarding.
 */
const GUARDING: readonly string[] = [
  "acp",
  "agents.defaults.cliBackends",
  "agents.defaults.elevatedDefault",
  "agents.defaults.embeddedPi",
  "agents.defaults.memorySearch",
  "agents.defaults.repoRoot",
  "agents.defaults.sandbox",
  "agents.defaults.subagents",
  "agents.defaults.workspace",
  "agents.list",
  "approvals",
  "audio",
  "audit",
  "auth",
  "bindings",
  "broadcast",
  "browser",
  "budgets",
  "canvasHost",
  "channels",
  "commands",
  "cron",
  "diagnostics",
  "discovery",
  "env",
  "gateway",
  "hooks",
  "logging",
  "memory",
  "messages.tts",
  "models.providers",
  "nodeHost",
  "people",
  "plugins",
  "secrets",
  "security",
  "session.dmScope",
  "session.identityLinks",
  "session.mainKey",
  "session.scope",
  "session.sendPolicy",
  "session.store",
  "skills",
  "talk",
  "tools",
  "update",
  "vault",
];

/** How a channel looks and how fast it speaks, for all of it and for one account. */
const LOOKS: readonly string[] = (
  "ackReaction ackReactionScope blockStreaming blockStreamingCoalesce chunkMode debounceMs dmHistoryLimit dms draftChunk " +
  "heartbeat historyLimit linkPreview markdown markdownBlocks maxLinesPerMessage messagePrefix name nativeStreaming " +
  "reactionLevel replyToMode replyToModeByChatType responsePrefix richMessages sendReadReceipts streamMode streaming " +
  "textChunkLimit threadReplies typingIndicator"
).split(" ");

const ORDINARY: readonly string[] = [
  "$schema",
  ...(
    "blockStreamingBreak blockStreamingChunk blockStreamingCoalesce blockStreamingDefault bootstrapMaxChars " +
    "bootstrapTotalMaxChars compaction contextPruning contextTokens envelopeElapsed envelopeTimestamp envelopeTimezone " +
    "heartbeat humanDelay imageMaxDimensionPx imageModel maxConcurrent mediaMaxMb model models skipBootstrap " +
    "thinkingDefault timeFormat timeoutSeconds typingIntervalSeconds typingMode userTimezone verboseDefault"
  )
    .split(" ")
    .map((key) => `agents.defaults.${key}`),
  "agents.list.groupChat",
  "agents.list.heartbeat",
  "agents.list.humanDelay",
  "agents.list.identity",
  "agents.list.model",
  "agents.list.name",
  "auth.cooldowns",
  "auth.order",
  ...LOOKS.flatMap((key) => [`channels.*.${key}`, `channels.*.accounts.*.${key}`]),
  "channels.modelByChannel",
  "cron.maxConcurrentRuns",
  "cron.runLog",
  "cron.sessionRetention",
  "logging.consoleLevel",
  "logging.consoleStyle",
  "logging.level",
  "media.preserveFilenames",
  "media.ttlHours",
  ...(
    "ackReaction ackReactionScope groupChat inbound messagePrefix queue removeAckAfterReply responsePrefix " +
    "statusReactions suppressToolErrors"
  )
    .split(" ")
    .map((key) => `messages.${key}`),
  "meta",
  "models.bedrockDiscovery",
  "models.mode",
  ...(
    "agentToAgent idleMinutes maintenance parentForkMaxTokens reset resetByChannel resetByType resetTriggers " +
    "threadBindings typingIntervalSeconds typingMode"
  )
    .split(" ")
    .map((key) => `session.${key}`),
  "ui",
  "web",
  "wizard",
];

type KeyKind = "guarding" | "ordinary";

/** Undefined for a place that is in neither list. */
export function kindOfKey(path: Path): KeyKind | undefined {
  const keys = namesIn(path);
  const guarding = longestMatch(GUARDING, keys);
  const ordinary = longestMatch(ORDINARY, keys);
  if (guarding === 0 && ordinary === 0) return undefined;
  return ordinary > guarding ? "ordinary" : "guarding";
}

/** Whether changing this place could change who may do what: it guards, holds something that does, or is unknown. */
export function guardsSafety(path: Path): boolean {
  const keys = namesIn(path);
  // What an included file says cannot be seen from here.
  if (keys.includes("$include")) return true;
  return kindOfKey(path) !== "ordinary" || GUARDING.some((place) => place.startsWith(`${keys.join(".")}.`));
}

function namesIn(path: Path): string[] {
  return path.map(String).filter((key) => !/^\d+$/.test(key));
}

/** How many names the most exact fitting place has; 0 when none fits. */
function longestMatch(places: readonly string[], keys: readonly string[]): number {
  const lengths = places.flatMap((place) => {
    const names = place.split(".");
    const fits = names.length <= keys.length && names.every((name, at) => name === "*" || name === keys[at]);
    return fits ? [names.length] : [];
  });
  return Math.max(0, ...lengths);
}
