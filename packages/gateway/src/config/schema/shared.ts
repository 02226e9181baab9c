// Parts that several sections of the config have in common.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  bool,
  block,
  choice,
  count,
  item,
  listOf,
  mapOf,
  numberAbove0,
  positive,
  secret,
  secretMap,
  share,
} from "./leaf.ts";
import { text, texts, textMap, wholeNumber, idList } from "./leaf.ts";

/** A model by name, or a first choice with fallbacks. */
export const modelChoice = once(() =>
  z
    .union([z.string(), z.strictObject({ primary: z.string().optional(), fallbacks: z.array(z.string()).optional() })])
    .optional(),
);

const toolPolicyShape = () => ({ allow: texts(), alsoAllow: texts(), deny: texts() });
export const toolPolicy = once(() => block(toolPolicyShape));
export const toolProfile = once(() => choice("minimal", "coding", "messaging", "full"));
const toolPolicyItem = once(() => item(toolPolicyShape));
const toolPolicyWithProfile = once(() => item(() => ({ ...toolPolicyShape(), profile: toolProfile() })));

/** Tool rules of a group, and of single senders in it. */
export const groupTools = () => ({ tools: toolPolicy(), toolsBySender: mapOf(toolPolicyItem()) });

/** The tool settings that both the gateway and a single agent may have. */
export const agentToolShape = () => ({
  profile: toolProfile(),
  ...toolPolicyShape(),
  byProvider: mapOf(toolPolicyWithProfile()),
  elevated: block(() => ({ enabled: bool(), allowFrom: mapOf(idList().unwrap()) })),
  fs: block(() => ({ workspaceOnly: bool() })),
  loopDetection: block(() => ({
    enabled: bool(),
    historySize: positive(),
    warningThreshold: positive(),
    criticalThreshold: positive(),
    globalCircuitBreakerThreshold: positive(),
    detectors: block(() => ({ genericRepeat: bool(), knownPollNoProgress: bool(), pingPong: bool() })),
  })),
  sandbox: block(() => ({ tools: toolPolicy() })),
});

export const execShape = () => ({
  host: choice("sandbox", "gateway", "node"),
  security: choice("deny", "allowlist", "full"),
  ask: choice("off", "on-miss", "always"),
  node: text(),
  pathPrepend: texts(),
  safeBins: texts(),
  safeBinTrustedDirs: texts(),
  safeBinProfiles: mapOf(
    item(() => ({ minPositional: count(), maxPositional: count(), allowedValueFlags: texts(), deniedFlags: texts() })),
  ),
  backgroundMs: positive(),
  timeoutSec: positive(),
  cleanupMs: positive(),
  notifyOnExit: bool(),
  notifyOnExitEmptySuccess: bool(),
  applyPatch: block(() => ({ enabled: bool(), workspaceOnly: bool(), allowModels: texts() })),
});

/** Rules that allow or deny something by channel, kind of chat and session key. */
export const scopeRules = once(() =>
  block(() => ({
    default: choice("allow", "deny"),
    rules: listOf(
      item(() => ({
        action: choice("allow", "deny"),
        match: block(() => ({
          channel: text(),
          chatType: choice("direct", "group", "channel", "dm"),
          keyPrefix: text(),
          rawKeyPrefix: text(),
        })),
      })),
    ),
  })),
);

/** How streamed text is gathered before it is sent. */
export const coalesce = once(() => block(() => ({ minChars: positive(), maxChars: positive(), idleMs: count() })));
export const chunking = once(() =>
  block(() => ({
    minChars: positive(),
    maxChars: positive(),
    breakPreference: choice("paragraph", "newline", "sentence"),
  })),
);

export const humanDelay = once(() =>
  block(() => ({ mode: choice("off", "natural", "custom"), minMs: count(), maxMs: count() })),
);
export const groupChat = once(() => block(() => ({ mentionPatterns: texts(), historyLimit: positive() })));
export const typingMode = once(() => choice("never", "instant", "thinking", "message"));
export const tailscaleMode = once(() => choice("off", "serve", "funnel"));

/** Where an installed plugin or hook came from. */
export const installShape = () => ({
  source: choice("npm", "archive", "path"),
  spec: text(),
  sourcePath: text(),
  installPath: text(),
  version: text(),
  resolvedName: text(),
  resolvedVersion: text(),
  resolvedSpec: text(),
  integrity: text(),
  shasum: text(),
  resolvedAt: text(),
  installedAt: text(),
});

export const heartbeat = once(() =>
  block(() => ({
    every: text(),
    activeHours: block(() => ({ start: text(), end: text(), timezone: text() })),
    model: text(),
    session: text(),
    includeReasoning: bool(),
    target: text(),
    directPolicy: choice("allow", "block"),
    to: text(),
    accountId: text(),
    prompt: text(),
    ackMaxChars: count(),
    suppressToolErrorWarnings: bool(),
  })),
);

export const speech = once(() =>
  block(() => ({
    auto: choice("off", "always", "inbound", "tagged"),
    enabled: bool(),
    mode: choice("final", "all"),
    provider: choice("elevenlabs", "openai", "edge"),
    summaryModel: text(),
    modelOverrides: block(() => ({
      enabled: bool(),
      allowText: bool(),
      allowProvider: bool(),
      allowVoice: bool(),
      allowModelId: bool(),
      allowVoiceSettings: bool(),
      allowNormalization: bool(),
      allowSeed: bool(),
    })),
    elevenlabs: block(() => ({
      apiKey: secret(),
      baseUrl: text(),
      voiceId: text(),
      modelId: text(),
      seed: wholeNumber(0, 4_294_967_295),
      applyTextNormalization: choice("auto", "on", "off"),
      languageCode: text(),
      voiceSettings: block(() => ({
        stability: share(),
        similarityBoost: share(),
        style: share(),
        useSpeakerBoost: bool(),
        speed: z.number().min(0.5).max(2).optional(),
      })),
    })),
    openai: block(() => ({ apiKey: secret(), model: text(), voice: text() })),
    edge: block(() => ({
      enabled: bool(),
      voice: text(),
      lang: text(),
      outputFormat: text(),
      pitch: text(),
      rate: text(),
      volume: text(),
      saveSubtitles: bool(),
      proxy: text(),
      timeoutMs: wholeNumber(1000, 120_000),
    })),
    prefsPath: text(),
    maxTextLength: wholeNumber(1),
    timeoutMs: wholeNumber(1000, 120_000),
  })),
);

export const memorySearch = once(() =>
  block(() => ({
    enabled: bool(),
    sources: listOf(z.enum(["memory", "sessions"])),
    extraPaths: texts(),
    experimental: block(() => ({ sessionMemory: bool() })),
    provider: choice("openai", "local", "gemini", "voyage", "mistral"),
    remote: block(() => ({
      baseUrl: text(),
      apiKey: secret(),
      headers: secretMap(),
      batch: block(() => ({
        enabled: bool(),
        wait: bool(),
        concurrency: positive(),
        pollIntervalMs: count(),
        timeoutMinutes: positive(),
      })),
    })),
    fallback: choice("openai", "gemini", "local", "voyage", "mistral", "none"),
    model: text(),
    local: block(() => ({ modelPath: text(), modelCacheDir: text() })),
    store: block(() => ({
      driver: choice("sqlite"),
      path: text(),
      vector: block(() => ({ enabled: bool(), extensionPath: text() })),
    })),
    chunking: block(() => ({ tokens: positive(), overlap: count() })),
    sync: block(() => ({
      onSessionStart: bool(),
      onSearch: bool(),
      watch: bool(),
      watchDebounceMs: count(),
      intervalMinutes: count(),
      sessions: block(() => ({ deltaBytes: count(), deltaMessages: count() })),
    })),
    query: block(() => ({
      maxResults: positive(),
      minScore: share(),
      hybrid: block(() => ({
        enabled: bool(),
        vectorWeight: share(),
        textWeight: share(),
        candidateMultiplier: positive(),
        mmr: block(() => ({ enabled: bool(), lambda: share() })),
        temporalDecay: block(() => ({ enabled: bool(), halfLifeDays: positive() })),
      })),
    })),
    cache: block(() => ({ enabled: bool(), maxEntries: positive() })),
  })),
);

const ulimit = () => z.union([z.string(), z.number(), z.strictObject({ soft: count(), hard: count() })]);

export const sandbox = once(() =>
  block(() => ({
    mode: choice("off", "non-main", "all"),
    workspaceAccess: choice("none", "ro", "rw"),
    sessionToolsVisibility: choice("spawned", "all"),
    scope: choice("session", "agent", "shared"),
    perSession: bool(),
    workspaceRoot: text(),
    docker: block(() => ({
      image: text(),
      containerPrefix: text(),
      workdir: text(),
      readOnlyRoot: bool(),
      tmpfs: texts(),
      network: text(),
      user: text(),
      capDrop: texts(),
      env: secretMap(),
      setupCommand: text(),
      pidsLimit: positive(),
      memory: z.union([z.string(), z.number()]).optional(),
      memorySwap: z.union([z.string(), z.number()]).optional(),
      cpus: numberAbove0(),
      ulimits: mapOf(ulimit()),
      seccompProfile: text(),
      apparmorProfile: text(),
      dns: texts(),
      extraHosts: texts(),
      binds: texts(),
      dangerouslyAllowReservedContainerTargets: bool(),
      dangerouslyAllowExternalBindSources: bool(),
      dangerouslyAllowContainerNamespaceJoin: bool(),
    })),
    browser: block(() => ({
      enabled: bool(),
      image: text(),
      containerPrefix: text(),
      network: text(),
      cdpPort: positive(),
      cdpSourceRange: text(),
      vncPort: positive(),
      noVncPort: positive(),
      headless: bool(),
      enableNoVnc: bool(),
      allowHostControl: bool(),
      autoStart: bool(),
      autoStartTimeoutMs: positive(),
      binds: texts(),
    })),
    prune: block(() => ({ idleHours: count(), maxAgeDays: count() })),
  })),
);

export const voiceShape = () => ({
  voiceId: text(),
  voiceAliases: textMap(),
  modelId: text(),
  outputFormat: text(),
  apiKey: secret(),
});
