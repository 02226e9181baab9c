// Parts that several sections of the config have in common.
import * as z from "zod";
import { once } from "@chela/sdk";
import { bool, block, choice, count, item, listOf, mapOf, positive, secret, share } from "./leaf.ts";
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

export const voiceShape = () => ({
  voiceId: text(),
  voiceAliases: textMap(),
  modelId: text(),
  outputFormat: text(),
  apiKey: secret(),
});
