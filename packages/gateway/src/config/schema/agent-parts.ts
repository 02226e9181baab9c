// The larger parts that the defaults and a single agent have in common.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  bool,
  block,
  choice,
  count,
  listOf,
  mapOf,
  numberAbove0,
  positive,
  secret,
  secretMap,
  share,
  text,
  texts,
} from "./leaf.ts";

export const humanDelay = once(() =>
  block(() => ({ mode: choice("off", "natural", "custom"), minMs: count(), maxMs: count() })),
);

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
    lightContext: bool(),
    always: bool(),
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
    backend: choice("auto", "bubblewrap", "docker", "podman", "host"),
    allowHosts: texts(),
    limits: block(() => ({
      memoryMb: positive(),
      processes: positive(),
      cpuSeconds: positive(),
      fileMb: positive(),
      openFiles: positive(),
    })),
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
