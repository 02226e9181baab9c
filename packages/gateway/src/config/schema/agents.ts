// `agents`: who answers. Defaults for all, and the list of agents that differ from them.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  item,
  listOf,
  mapOf,
  numberAbove0,
  openMap,
  positive,
  secretMap,
  share,
} from "./leaf.ts";
import { text, textMap, texts, wholeNumber } from "./leaf.ts";
import { agentToolShape, chunking, coalesce, execShape, groupChat } from "./shared.ts";
import { modelChoice, typingMode } from "./shared.ts";
import { heartbeat, humanDelay, memorySearch, sandbox } from "./agent-parts.ts";

export const agentsSection = once(() => block(() => ({ defaults: defaults(), list: listOf(item(agentShape)) })));

const onOff = once(() => choice("on", "off"));

const defaults = () =>
  block(() => ({
    model: modelChoice(),
    imageModel: modelChoice(),
    models: mapOf(item(() => ({ alias: text(), params: openMap(), streaming: bool() }))),
    workspace: text(),
    repoRoot: text(),
    skipBootstrap: bool(),
    bootstrapMaxChars: positive(),
    bootstrapTotalMaxChars: positive(),
    userTimezone: text(),
    timeFormat: choice("auto", "12", "24"),
    envelopeTimezone: text(),
    envelopeTimestamp: onOff(),
    envelopeElapsed: onOff(),
    contextTokens: positive(),
    cliBackends: mapOf(item(cliBackendShape)),
    memorySearch: memorySearch(),
    contextPruning: contextPruning(),
    compaction: compaction(),
    embeddedPi: block(() => ({ projectSettingsPolicy: choice("trusted", "sanitize", "ignore") })),
    thinkingDefault: choice("off", "minimal", "low", "medium", "high", "xhigh"),
    verboseDefault: choice("off", "on", "full"),
    elevatedDefault: choice("off", "on", "ask", "full"),
    blockStreamingDefault: choice("off", "on"),
    blockStreamingBreak: choice("text_end", "message_end"),
    blockStreamingChunk: chunking(),
    blockStreamingCoalesce: coalesce(),
    humanDelay: humanDelay(),
    timeoutSeconds: positive(),
    mediaMaxMb: numberAbove0(),
    imageMaxDimensionPx: positive(),
    typingIntervalSeconds: positive(),
    typingMode: typingMode(),
    heartbeat: heartbeat(),
    maxConcurrent: positive(),
    subagents: block(() => ({
      maxConcurrent: positive(),
      maxSpawnDepth: wholeNumber(1, 5),
      maxChildrenPerAgent: wholeNumber(1, 20),
      archiveAfterMinutes: positive(),
      model: modelChoice(),
      thinking: text(),
      runTimeoutSeconds: count(),
      announceTimeoutMs: positive(),
    })),
    sandbox: sandbox(),
  }));

const agentShape = () => ({
  id: z.string(),
  default: bool(),
  name: text(),
  workspace: text(),
  agentDir: text(),
  model: modelChoice(),
  params: openMap(),
  skills: texts(),
  memorySearch: memorySearch(),
  humanDelay: humanDelay(),
  heartbeat: heartbeat(),
  identity: block(() => ({ name: text(), theme: text(), emoji: text(), avatar: text() })),
  groupChat: groupChat(),
  subagents: block(() => ({ allowAgents: texts(), model: modelChoice(), thinking: text() })),
  sandbox: sandbox(),
  tools: block(() => ({
    ...agentToolShape(),
    exec: block(() => ({ ...execShape(), approvalRunningNoticeMs: count() })),
  })),
});

const contextPruning = () =>
  block(() => ({
    mode: choice("off", "cache-ttl"),
    ttl: text(),
    keepLastAssistants: count(),
    softTrimRatio: share(),
    hardClearRatio: share(),
    minPrunableToolChars: count(),
    tools: block(() => ({ allow: texts(), deny: texts() })),
    softTrim: block(() => ({ maxChars: count(), headChars: count(), tailChars: count() })),
    hardClear: block(() => ({ enabled: bool(), placeholder: text() })),
  }));

const compaction = () =>
  block(() => ({
    mode: choice("default", "safeguard"),
    reserveTokens: count(),
    keepRecentTokens: positive(),
    reserveTokensFloor: count(),
    maxHistoryShare: z.number().min(0.1).max(0.9).optional(),
    memoryFlush: block(() => ({
      enabled: bool(),
      softThresholdTokens: count(),
      prompt: text(),
      systemPrompt: text(),
    })),
  }));

const cliOutput = once(() => choice("json", "text", "jsonl"));

const watchdog = once(() =>
  block(() => ({
    noOutputTimeoutMs: wholeNumber(1000),
    noOutputTimeoutRatio: z.number().min(0.05).max(0.95).optional(),
    minMs: wholeNumber(1000),
    maxMs: wholeNumber(1000),
  })),
);

const cliBackendShape = () => ({
  command: text(),
  args: texts(),
  output: cliOutput(),
  resumeOutput: cliOutput(),
  input: choice("arg", "stdin"),
  maxPromptArgChars: positive(),
  env: secretMap(),
  clearEnv: texts(),
  modelArg: text(),
  modelAliases: textMap(),
  sessionArg: text(),
  sessionArgs: texts(),
  resumeArgs: texts(),
  sessionMode: choice("always", "existing", "none"),
  sessionIdFields: texts(),
  systemPromptArg: text(),
  systemPromptMode: choice("append", "replace"),
  systemPromptWhen: choice("first", "always", "never"),
  imageArg: text(),
  imageMode: choice("repeat", "list"),
  serialize: bool(),
  reliability: block(() => ({ watchdog: block(() => ({ fresh: watchdog(), resume: watchdog() })) })),
});
