// `agents`: who answers. Defaults for all, and the list of agents that differ from them.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  harmless,
  inherits,
  item,
  key,
  listOf,
  mapOf,
  numberAbove0,
  positive,
  section,
  share,
  text,
  texts,
  wholeNumber,
} from "@chela/sdk/config";
import { coalesce } from "@chela/sdk/config";
import { agentToolShape, chunking, execShape, groupChat } from "./shared.ts";
import { modelChoice, typingMode } from "./shared.ts";
import { heartbeat, humanDelay, memorySearch, sandbox } from "./agent-parts.ts";

export const agentsSection = section(
  "Who answers: the agents, their models, workspaces and habits.",
  { reload: "live" },
  () => block(() => ({ defaults: agentDefaults(), list: inherits(listOf(item(agentShape))) })),
);

/** When parts of a reply go out before all of it is there. */
const partsOfReplies = () => ({
  blockStreamingDefault: key(
    choice("off", "on"),
    "Whether finished paragraphs are sent before the whole answer is there, on channels that do not say.",
    { preset: "off", guards: false },
  ),
  blockStreamingBreak: key(
    choice("text_end", "message_end"),
    "When such a part may go: as soon as there is enough text, or when the model has finished a message.",
    { preset: "text_end", guards: false },
  ),
  blockStreamingChunk: harmless(chunking()),
  blockStreamingCoalesce: harmless(
    coalesce({
      minChars: "Shorter parts wait for more up to this length; unless it is written, as long as a part.",
      maxChars: "How long they become at most.",
      idleMs: "How long they wait; 5 seconds at most.",
    }),
  ),
});

export const agentDefaults = once(() =>
  block(() => ({
    model: key(modelChoice(), "The model that answers, and those to try when it cannot.", { guards: false }),
    imageModel: key(
      modelChoice(),
      "The model that looks at pictures for the tool image, and those to try when it cannot. Without it, the agent's own models that can see.",
      { guards: false },
    ),
    models: harmless(mapOf(item(() => ({ alias: key(text(), "A short name for the model.") })))),
    workspace: key(text(), "Directory of the default agent."),

    skipBootstrap: key(bool(), "Whether a new workspace stays empty instead of getting its first files.", {
      preset: false,
      guards: false,
    }),
    bootstrapMaxChars: key(positive(), "How much of one file of the workspace stands in the prompt.", {
      preset: 20_000,
      guards: false,
    }),
    bootstrapTotalMaxChars: key(positive(), "How much of all its files together.", { preset: 150_000, guards: false }),
    userTimezone: key(text(), "Time zone of the people the agents talk to.", { guards: false }),

    contextTokens: key(
      positive(),
      "How many tokens of a conversation are sent at most. Unless it is written, the model's own window counts.",
      { guards: false },
    ),

    memorySearch: memorySearch(),
    contextPruning: harmless(contextPruning()),
    compaction: harmless(compaction()),

    thinkingDefault: key(
      choice("off", "minimal", "low", "medium", "high", "xhigh", "adaptive"),
      "How long a model thinks unless told otherwise; adaptive is the same as medium here.",
      { preset: "low", guards: false },
    ),
    verboseDefault: key(
      choice("off", "on", "full"),
      "How much of its tools an agent shows unless /verbose says otherwise.",
      { preset: "off", guards: false },
    ),
    elevatedDefault: key(
      choice("off", "on", "ask", "full"),
      "What an elevated command needs unless /elevated says otherwise: it is not allowed (off), needs the usual approval (on, ask), or needs none (full).",
      { preset: "on" },
    ),
    ...partsOfReplies(),
    humanDelay: harmless(humanDelay()),
    timeoutSeconds: key(positive(), "How long a turn may take.", { preset: 600, guards: false }),
    mediaMaxMb: key(numberAbove0(), "Largest file an agent may send, and a chat window may bring, in megabytes.", {
      preset: 5,
      guards: false,
    }),
    imageMaxDimensionPx: key(
      positive(),
      "Pictures are made smaller to this width and height before a model sees them.",
      { preset: 1200, guards: false },
    ),
    typingIntervalSeconds: key(
      positive(),
      "How often it is renewed; oftener where the platform would take it away before.",
      { preset: 6, guards: false },
    ),
    typingMode: key(
      typingMode(),
      'When "is typing" begins: never, as soon as a message is taken, when the model thinks, or with its first words. Unless it is written, at once where the agent was spoken to, otherwise with the first words.',
      { guards: false },
    ),
    heartbeat: harmless(heartbeat(), { reload: { room: "heartbeat" } }),
    maxConcurrent: key(positive(), "How many turns may run at once.", { preset: 16, guards: false }),
    subagents: block(() => ({
      maxConcurrent: key(positive(), "How many sub-agents may run at once.", { preset: 8 }),
      maxSpawnDepth: key(
        wholeNumber(1, 5),
        "How deep sub-agents may start further ones; 1 means that sub-agents have none of their own.",
        { preset: 1 },
      ),
      maxChildrenPerAgent: key(wholeNumber(1, 20), "How many sub-agents of one conversation may be at work at once.", {
        preset: 5,
      }),
      archiveAfterMinutes: key(
        positive(),
        "After how many minutes the conversation of a sub-agent that is done leaves the list; what was said in it is kept.",
        { preset: 60 },
      ),
      model: key(modelChoice(), "The model of sub-agents, and its fallbacks. Unless it is named, that of their agent."),
      thinking: key(text(), "How long sub-agents think unless told otherwise."),
      runTimeoutSeconds: key(
        count(),
        "How long a sub-agent may take, with all it started; 0 for no limit but the one of every turn.",
        { preset: 0 },
      ),
      announceTimeoutMs: key(
        positive(),
        "How long the turn may take in which an agent hears of a result. Unless it is set, as long as any turn.",
      ),
    })),
    sandbox: sandbox(),
  })),
);

const agentShape = () => ({
  id: key(z.string(), "Short name of the agent, in lower case."),
  default: key(bool(), "This agent answers when no rule names another."),
  name: key(text(), "Name of the agent for people.", { guards: false }),
  workspace: key(text(), "Directory of this agent."),
  agentDir: key(text(), "Where the agent's credentials and model list are kept."),
  model: key(modelChoice(), "The model of this agent, instead of the default.", { guards: false }),

  memorySearch: memorySearch(),
  humanDelay: harmless(humanDelay()),
  heartbeat: harmless(heartbeat()),
  thinkingDefault: key(
    choice("off", "minimal", "low", "medium", "high", "xhigh", "adaptive"),
    "How long this agent thinks, where it is not as long as all.",
    { guards: false },
  ),
  identity: harmless(
    block(() => ({
      name: key(text(), "The name the agent goes by."),
      theme: key(text(), "How the agent presents itself."),
      emoji: key(text(), "The agent's emoji."),
      avatar: key(text(), "The agent's picture."),
    })),
  ),
  groupChat: harmless(
    groupChat({
      mentionPatterns:
        "Regular expressions for words that mean this agent in groups. Unless they are written here or for all, its name and emoji.",
      historyLimit:
        "How much of what was said in a group this agent is told; instead of messages.groupChat, unless its channel says otherwise.",
    }),
  ),
  subagents: block(() => ({
    allowAgents: key(texts(), "Which other agents this one may start as sub-agents; * for all."),
    model: key(modelChoice(), "The model of sub-agents that are this agent."),
    thinking: key(text(), "How long they think unless told otherwise."),
  })),
  runtime: block(() => ({
    type: key(choice("embedded", "acp"), "Who answers for this agent: a model (embedded), or another agent (acp).", {
      preset: "embedded",
    }),
    acp: block(() => ({
      agent: key(text(), "Which one, by its name in acp.agents; acp.defaultAgent unless it is named."),
      cwd: key(text(), "The folder it works in; this agent's workspace unless it is named."),
    })),
  })),
  sandbox: sandbox(),
  tools: block(() => ({
    ...agentToolShape(),
    exec: block(() => ({ ...execShape() })),
  })),
});

const contextPruning = () =>
  block(() => ({
    mode: key(
      choice("off", "cache-ttl"),
      "Whether old tool results are made short, once the provider's cache has forgotten them (cache-ttl).",
      { preset: "off" },
    ),
    ttl: key(text(), "After which pause the cache has forgotten: 5m, 1h; a number alone is minutes.", { preset: "5m" }),
    keepLastAssistants: key(count(), "Nothing behind this many of the last answers is made short.", { preset: 3 }),
    softTrimRatio: key(share(), "The share of the window from which on results are trimmed.", { preset: 0.3 }),
    hardClearRatio: key(share(), "The share of the window from which on they are cleared.", { preset: 0.5 }),
    minPrunableToolChars: key(count(), "Nothing is cleared while results are shorter than this in all.", {
      preset: 50_000,
    }),
    tools: block(() => ({
      allow: key(texts(), "Only results of these tools; * stands for any letters."),
      deny: key(texts(), "Never results of these tools."),
    })),
    softTrim: block(() => ({
      maxChars: key(count(), "Results longer than this are trimmed.", { preset: 4000 }),
      headChars: key(count(), "How much of the beginning of a trimmed result stays.", { preset: 1500 }),
      tailChars: key(count(), "How much of its end stays.", { preset: 1500 }),
    })),
    hardClear: block(() => ({
      enabled: key(bool(), "Whether results are cleared at all.", { preset: true }),
      placeholder: key(text(), "What stands in the place of a cleared result.", {
        preset: "[Old tool result content cleared]",
      }),
    })),
  }));

const compaction = () =>
  block(() => ({
    mode: key(
      choice("default", "safeguard"),
      "How a long conversation is summarised: in small parts (safeguard), or in as large ones as fit (default).",
      { preset: "safeguard" },
    ),
    reserveTokens: key(
      count(),
      "Tokens kept free for the next answer. In small windows it is less, so that a conversation fits.",
      { preset: 16_384 },
    ),
    keepRecentTokens: key(positive(), "How many of the newest tokens are kept word by word.", { preset: 20_000 }),
    reserveTokensFloor: key(count(), "The reserve is never smaller than this; 0 for no such rule.", { preset: 20_000 }),
    maxHistoryShare: key(z.number().min(0.1).max(0.9).optional(), "The share of the window they may take at most.", {
      preset: 0.5,
    }),
    memoryFlush: block(() => ({
      enabled: key(bool(), "Whether the agent saves notes shortly before a summary.", { preset: true }),
      softThresholdTokens: key(count(), "How many tokens before the summary that happens.", { preset: 4000 }),
      prompt: key(text(), "What the agent is told to save."),
      systemPrompt: key(text(), "What is added to its prompt for that turn."),
    })),
  }));
