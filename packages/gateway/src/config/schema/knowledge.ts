// `memory`, `skills`, `plugins`: what agents know and can be taught.
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  item,
  listOf,
  mapOf,
  openMap,
  positive,
  secretMap,
  secretOrRef,
  text,
  texts,
} from "./leaf.ts";
import { wholeNumber } from "./leaf.ts";
import { installShape, scopeRules } from "./shared.ts";

export const memorySection = once(() =>
  block(() => ({
    backend: choice("builtin", "qmd"),
    citations: choice("auto", "on", "off"),
    learning: block(() => ({ enabled: bool(), inPrompt: bool(), model: text(), maxTokensPerDay: count() })),
    qmd: block(() => ({
      command: text(),
      mcporter: block(() => ({ enabled: bool(), serverName: text(), startDaemon: bool() })),
      searchMode: choice("query", "search", "vsearch"),
      includeDefaultMemory: bool(),
      paths: listOf(item(() => ({ path: text(), name: text(), pattern: text() }))),
      sessions: block(() => ({ enabled: bool(), exportDir: text(), retentionDays: count() })),
      update: block(() => ({
        interval: text(),
        debounceMs: count(),
        onBoot: bool(),
        waitForBootSync: bool(),
        embedInterval: text(),
        commandTimeoutMs: count(),
        updateTimeoutMs: count(),
        embedTimeoutMs: count(),
      })),
      limits: block(() => ({
        maxResults: positive(),
        maxSnippetChars: positive(),
        maxInjectedChars: positive(),
        timeoutMs: count(),
      })),
      scope: scopeRules(),
    })),
  })),
);

export const skillsSection = once(() =>
  block(() => ({
    allowBundled: texts(),
    load: block(() => ({ extraDirs: texts(), watch: bool(), watchDebounceMs: count() })),
    install: block(() => ({ preferBrew: bool(), nodeManager: choice("npm", "pnpm", "yarn", "bun") })),
    limits: block(() => ({
      maxCandidatesPerRoot: wholeNumber(1),
      maxSkillsLoadedPerSource: wholeNumber(1),
      maxSkillsInPrompt: count(),
      maxSkillsPromptChars: count(),
      maxSkillFileBytes: count(),
    })),
    entries: mapOf(item(() => ({ enabled: bool(), apiKey: secretOrRef(), env: secretMap(), config: openMap() }))),
  })),
);

export const pluginsSection = once(() =>
  block(() => ({
    enabled: bool(),
    allow: texts(),
    deny: texts(),
    load: block(() => ({ paths: texts() })),
    slots: block(() => ({ memory: text() })),
    entries: mapOf(item(() => ({ enabled: bool(), config: openMap() }))),
    installs: mapOf(item(installShape)),
  })),
);
