// The small sections: file bookkeeping, environment, logging, updates, look of the control page, discovery.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  numberAbove0,
  openBlock,
  positive,
  secret,
  secretMap,
  share,
  text,
} from "./leaf.ts";
import { textOrNumber, texts } from "./leaf.ts";

export const metaSection = once(() => block(() => ({ lastTouchedVersion: text(), lastTouchedAt: textOrNumber() })));

export const envSection = once(() =>
  openBlock(
    () => ({ shellEnv: block(() => ({ enabled: bool(), timeoutMs: count() })), vars: secretMap() }),
    secret().unwrap(),
  ),
);

export const wizardSection = once(() =>
  block(() => ({
    lastRunAt: text(),
    lastRunVersion: text(),
    lastRunCommit: text(),
    lastRunCommand: text(),
    lastRunMode: choice("local", "remote"),
  })),
);

export const diagnosticsSection = once(() =>
  block(() => ({
    enabled: bool(),
    flags: texts(),
    otel: block(() => ({
      enabled: bool(),
      endpoint: text(),
      protocol: choice("http/protobuf", "grpc"),
      headers: secretMap(),
      serviceName: text(),
      traces: bool(),
      metrics: bool(),
      logs: bool(),
      sampleRate: share(),
      flushIntervalMs: count(),
    })),
    cacheTrace: block(() => ({
      enabled: bool(),
      filePath: text(),
      includeMessages: bool(),
      includePrompt: bool(),
      includeSystem: bool(),
    })),
  })),
);

const logLevel = once(() => choice("silent", "fatal", "error", "warn", "info", "debug", "trace"));

export const loggingSection = once(() =>
  block(() => ({
    level: logLevel(),
    file: text(),
    maxFileBytes: positive(),
    consoleLevel: logLevel(),
    consoleStyle: choice("pretty", "compact", "json"),
    redactSensitive: choice("off", "tools"),
    redactPatterns: texts(),
  })),
);

const upToAWeek = once(() => z.number().min(0).max(168).optional());

export const updateSection = once(() =>
  block(() => ({
    channel: choice("stable", "beta", "dev"),
    checkOnStart: bool(),
    auto: block(() => ({
      enabled: bool(),
      stableDelayHours: upToAWeek(),
      stableJitterHours: upToAWeek(),
      betaCheckIntervalHours: z.number().positive().max(24).optional(),
    })),
  })),
);

export const uiSection = once(() =>
  block(() => ({
    seamColor: text(),
    assistant: block(() => ({ name: z.string().max(50).optional(), avatar: z.string().max(200).optional() })),
  })),
);

export const webSection = once(() =>
  block(() => ({
    enabled: bool(),
    heartbeatSeconds: positive(),
    reconnect: block(() => ({
      initialMs: numberAbove0(),
      maxMs: numberAbove0(),
      factor: numberAbove0(),
      jitter: share(),
      maxAttempts: count(),
    })),
  })),
);

export const discoverySection = once(() =>
  block(() => ({
    wideArea: block(() => ({ enabled: bool() })),
    mdns: block(() => ({ mode: choice("off", "minimal", "full") })),
  })),
);

export const canvasHostSection = once(() =>
  block(() => ({ enabled: bool(), root: text(), port: positive(), liveReload: bool() })),
);

export const acpSection = once(() =>
  block(() => ({
    enabled: bool(),
    dispatch: block(() => ({ enabled: bool() })),
    backend: text(),
    defaultAgent: text(),
    allowedAgents: texts(),
    maxConcurrentSessions: positive(),
    stream: block(() => ({ coalesceIdleMs: count(), maxChunkChars: positive() })),
    runtime: block(() => ({ ttlMinutes: positive(), installCommand: text() })),
  })),
);

export const nodeHostSection = once(() =>
  block(() => ({ browserProxy: block(() => ({ enabled: bool(), allowProfiles: texts() })) })),
);
