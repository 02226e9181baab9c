// The config of the running gateway: the one in use, the file it comes from, and every way to change either.
import { existsSync } from "node:fs";
import { GatewayError } from "@chela/sdk";
import { patchConfig, replaceWhole, restorableSources, setValue, unsetValue, type Change } from "./edit/change.ts";
import { reloadSettings } from "./settings/defaults.ts";
import { checkText } from "./read/check-text.ts";
import { readEnvironmentFile } from "./read/environment.ts";
import { wholeOf } from "./read/examine.ts";
import { issueSentence } from "./read/issue.ts";
import { Overrides } from "./edit/overrides.ts";
import { recallLastGood, rememberLastGood } from "./read/last-good.ts";
import { readConfigFile, type Reading, type ConfigSources } from "./read/load.ts";
import { deepEqual, diffPaths, formatPath, parsePath, valueAt, type Path } from "./edit/path.ts";
import { redactText, type RestoreFrom } from "./edit/redact-text.ts";
import { planReload } from "./reload.ts";
import type { ChelaConfig } from "./schema/sections.ts";
import { redactValue, secretsOf } from "./secret-rules.ts";
import { freshSecrets, writtenSecrets } from "./edit/written-secrets.ts";
import type { ConfigCheck, ConfigDescription, ConfigSnapshot, ConfigSource, ConfigStore } from "./store-types.ts";
import type { ConfigStoreOptions, PatchPreview, PathValue, ReloadReport, TextCheck } from "./store-types.ts";
import type { ConfigWish, WriteReport, WrittenSecret } from "./store-types.ts";
import { watchFiles, type FileWatch } from "./read/watch-files.ts";
import { checkBaseHash, checkChange, commitChange } from "./edit/writer.ts";

const MISSING_RETRIES = 2;
const MISSING_RETRY_MS = 150;

export function createConfigStore(options: ConfigStoreOptions): ConfigStore {
  return new FileConfigStore(options);
}

class FileConfigStore implements ConfigStore {
  readonly #options: ConfigStoreOptions;
  /** The file as it was last read, good or not. */
  #seen: Reading;
  /** The version whose config is in use. */
  #used: Reading;
  #source: ConfigSource;
  readonly #overrides = new Overrides();
  /** What is in use, with what is laid over it. */
  #effective: ChelaConfig;
  readonly #listeners = new Set<(report: ReloadReport) => void>();
  #watch: FileWatch | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(options: ConfigStoreOptions) {
    this.#options = options;
    this.#seen = this.#readFile();
    const start = this.#choose(this.#seen);
    this.#used = start.used;
    this.#source = start.source;
    this.#effective = this.#used.config;
    if (start.source === "file") rememberLastGood(options.paths.stateDir, this.#seen, options.log);
    if (this.#seen.kind === "broken") options.log.error(this.#brokenSentence(this.#seen));
  }

  current(): ChelaConfig {
    return this.#effective;
  }

  writtenSecrets(): readonly WrittenSecret[] {
    return writtenSecrets(this.#readFile().parsed);
  }

  overrides(): Readonly<Record<string, unknown>> {
    return this.#overrides.show();
  }

  override(path: string, value: unknown): void {
    this.#layOver(() => this.#overrides.set(path, value, this.#used.config));
  }

  dropOverride(path: string): boolean {
    return this.#layOver(() => this.#overrides.drop(path));
  }

  dropOverrides(): void {
    this.#layOver(() => this.#overrides.clear());
  }

  effectiveEnv(): Readonly<Record<string, string>> {
    return this.#used.env;
  }

  snapshot(): ConfigSnapshot {
    const { hash, kind, issues, warnings, legacyIssues } = this.#seen;
    return {
      path: this.#options.paths.configPath,
      exists: kind !== "missing",
      source: this.#source,
      config: this.#used.config,
      hash,
      valid: kind !== "broken",
      issues,
      warnings: kind === "broken" ? this.#used.warnings : warnings,
      legacyIssues,
    };
  }

  notUsedYet(): readonly string[] {
    return pathsOf(this.#used);
  }

  secrets(): readonly string[] {
    return [...new Set([...secretsOf(this.#effective), ...secretsOf(wholeOf(this.#used))])];
  }

  describe(): ConfigDescription {
    const now = this.#readFile();
    const { raw, parsed, resolved, kind, hash, issues, warnings, legacyIssues } = now;
    return {
      path: this.#options.paths.configPath,
      exists: kind !== "missing",
      raw: raw === undefined ? null : redactText(raw, this.#knownSecrets(now)),
      parsed: redactValue(parsed),
      resolved: redactValue(resolved),
      valid: kind !== "broken",
      config: redactValue(wholeOf(kind === "broken" ? this.#used : now)),
      hash,
      issues,
      warnings,
      legacyIssues,
      notUsedYet: pathsOf(now),
      source: this.#source,
    };
  }

  check(): ConfigCheck {
    const now = this.#readFile();
    const { kind, issues, warnings } = now;
    return { valid: kind !== "broken", issues, warnings, notUsedYet: pathsOf(now) };
  }

  checkText(raw: string): TextCheck {
    const { clock, version } = this.#options;
    const surroundings = this.#surroundings();
    const before = readConfigFile(surroundings);
    return checkText(raw, before, { from: this.#restoreFrom(before), surroundings, clock, version });
  }

  getPath(text: string): PathValue {
    const path = parsePath(text);
    const value = valueAt(wholeOf({ ...this.#used, config: this.#effective }), path);
    return value === undefined ? { kind: "absent" } : { kind: "found", value: redactValue(value, path) };
  }

  reload(): ReloadReport {
    const before = this.#seen;
    const now = this.#readFile();
    this.#seen = now;
    if (now.kind === "loaded") return this.#use(now, before.kind);
    if (now.kind === "missing") {
      if (before.kind === "missing") return { kind: "unchanged" };
      return {
        kind: "gone",
        says: `${this.#options.paths.configPath} is gone; the configuration in use stays as it is.`,
      };
    }
    if (before.kind === "broken" && before.hash === now.hash && deepEqual(before.issues, now.issues))
      return { kind: "unchanged" };
    if (this.#source === "file") this.#source = "last-good";
    return { kind: "broken", says: this.#brokenSentence(now), issues: now.issues };
  }

  refresh(): void {
    this.#tell(this.reload());
  }

  watch(listener: (report: ReloadReport) => void): Disposable {
    this.#listeners.add(listener);
    if (!this.#watch) {
      const { clock, log } = this.#options;
      const debounceMs = () => reloadSettings(this.current()).debounceMs;
      this.#watch = watchFiles({ clock, log, debounceMs, changed: () => this.#fileChanged(MISSING_RETRIES) });
      this.#follow();
    }
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  replaceAll(raw: string, baseHash?: string): WriteReport {
    return this.#change((before, from) => {
      checkBaseHash(before, baseHash);
      return replaceWhole(raw, before, from);
    });
  }

  mergePatch(raw: string, baseHash?: string, references?: ReadonlyMap<string, string>): WriteReport {
    return this.#change((before, from) => {
      checkBaseHash(before, baseHash);
      requireEditable(before);
      return patchConfig(raw, before, from, references);
    });
  }

  previewPatch(raw: string, baseHash?: string): PatchPreview {
    const { before, after } = this.#preview({ kind: "patch", raw, baseHash });
    const secrets = writtenSecrets(after.parsed);
    return { config: after.config, secrets, fresh: freshSecrets(writtenSecrets(before.parsed), secrets) };
  }

  changesOf(wish: ConfigWish): Path[] {
    const { before, after } = this.#preview(wish);
    return [...diffPaths(before.parsed, after.parsed), ...diffPaths(before.config, after.config)];
  }

  #preview({ kind, raw, baseHash }: ConfigWish): { readonly before: Reading; readonly after: Reading } {
    const { clock, version } = this.#options;
    const surroundings = this.#surroundings();
    const before = readConfigFile(surroundings);
    checkBaseHash(before, baseHash);
    if (kind === "patch") requireEditable(before);
    const plan = kind === "patch" ? patchConfig : replaceWhole;
    const after = checkChange(plan(raw, before, this.#restoreFrom(before)), before, { surroundings, clock, version });
    return { before, after: after ?? before };
  }

  setPath(path: string, value: unknown): WriteReport {
    return this.#change((before, from) => {
      requireEditable(before);
      return setValue(parsePath(path), value, before, from);
    });
  }

  unsetPath(path: string): WriteReport {
    return this.#change((before) => {
      requireEditable(before);
      return unsetValue(parsePath(path), before);
    });
  }

  close(): void {
    this.#cancelRetry?.();
    this.#watch?.[Symbol.dispose]();
    this.#watch = undefined;
    this.#listeners.clear();
  }

  #readFile(): Reading {
    return readConfigFile(this.#surroundings());
  }

  #surroundings(): ConfigSources {
    const { paths, env, log } = this.#options;
    const envFile = readEnvironmentFile(paths.envPath);
    if (envFile.warning) log.warn(envFile.warning);
    const resolveSecret = this.#options.secrets?.resolve;
    return { configPath: paths.configPath, env, envFile: envFile.values, resolveSecret };
  }

  #choose(seen: Reading): { used: Reading; source: ConfigSource } {
    if (seen.kind === "loaded") return { used: seen, source: "file" };
    const lastGood =
      seen.kind === "broken" ? recallLastGood(this.#options.paths.stateDir, this.#surroundings()) : undefined;
    return lastGood
      ? { used: lastGood, source: "last-good" }
      : { used: { ...seen, config: {}, unused: [] }, source: "defaults" };
  }

  #brokenSentence(reading: Reading): string {
    const first = reading.issues[0];
    const more = reading.issues.length > 1 ? ` (and ${reading.issues.length - 1} more)` : "";
    const instead = this.#source === "defaults" ? "the defaults are" : "the last good version is";
    return `${this.#options.paths.configPath} is not used: ${first ? issueSentence(first) : ""}${more}; ${instead} in use.`;
  }

  /** Takes a good version into use. What differs only in comments or spacing is nothing to report. */
  #use(next: Reading, before: Reading["kind"]): ReloadReport {
    const { configPath } = this.#options.paths;
    // What has no effect asks nothing of anybody; that it is another now is told all the same.
    const changed = diffPaths(wholeOf(this.#used), wholeOf(next)).map(formatPath);
    const effective = diffPaths(this.#used.config, next.config).map(formatPath);
    const plan = { ...planReload(effective, reloadSettings(this.#used.config).mode), changed };
    const sourceChanged = this.#source !== "file";
    // A file that is made for the first time takes nothing back.
    const wasLost = before === "broken" || (before === "missing" && this.#source !== "defaults");
    const wasNotLoaded = before !== "loaded";
    this.#used = next;
    this.#effective = this.#overrides.over(next.config);
    this.#source = "file";
    rememberLastGood(this.#options.paths.stateDir, next, this.#options.log);
    this.#follow();
    // As loud as what it takes back: on the terminal, too.
    if (wasLost) this.#options.log.warn(`${configPath} can be read again and is used from now on.`);
    if (changed.length === 0 && !(wasNotLoaded && sourceChanged)) return { kind: "unchanged" };
    return { kind: "applied", plan, warnings: next.warnings };
  }

  #layOver<T>(change: () => T): T {
    const before = this.#effective;
    const result = change();
    this.#effective = this.#overrides.over(this.#used.config);
    const changed = diffPaths(before, this.#effective).map(formatPath);
    if (changed.length > 0) {
      this.#tell({ kind: "applied", plan: planReload(changed, reloadSettings(before).mode), warnings: [] });
    }
    return result;
  }

  #follow(): void {
    const { configPath, envPath } = this.#options.paths;
    const kept = this.#options.secrets?.files() ?? [];
    this.#watch?.follow([configPath, envPath, ...this.#used.includedFiles, ...kept]);
  }

  /** Editors may take a file away for a moment before they put the new one in place. */
  #fileChanged(retries: number): void {
    const { clock, paths } = this.#options;
    if (reloadSettings(this.current()).mode === "off") return;
    if (retries > 0 && !existsSync(paths.configPath)) {
      this.#cancelRetry?.();
      this.#cancelRetry = clock.after(MISSING_RETRY_MS, () => this.#fileChanged(retries - 1));
      return;
    }
    const opening = this.#options.secrets?.opening?.();
    if (opening) void opening.then(() => this.#tell(this.reload()));
    else this.#tell(this.reload());
  }

  #tell(report: ReloadReport): void {
    if (report.kind === "unchanged") return;
    if (report.kind !== "applied") this.#options.log.error(report.says);
    for (const listener of this.#listeners) listener(report);
  }

  #change(plan: (before: Reading, from: RestoreFrom) => Change): WriteReport {
    const { paths, clock, log, version } = this.#options;
    const surroundings = this.#surroundings();
    const before = readConfigFile(surroundings);
    const after = commitChange(plan(before, this.#restoreFrom(before)), before, {
      stateDir: paths.stateDir,
      surroundings,
      clock,
      log,
      version,
    });
    if (!after) return { kind: "unchanged", hash: before.hash };
    const mode = reloadSettings(this.#used.config).mode;
    const report = this.reload();
    this.#tell(report);
    const nothing = planReload([], mode);
    return {
      kind: "written",
      hash: after.hash,
      plan: report.kind === "applied" ? report.plan : nothing,
      warnings: after.warnings,
    };
  }

  #restoreFrom(before: Reading): RestoreFrom {
    return {
      text: before.raw,
      sources: restorableSources([before, this.#used]),
      known: this.#knownSecrets(before),
    };
  }

  #knownSecrets(reading: Reading): string[] {
    return [...secretsOf(reading.resolved), ...secretsOf(wholeOf(this.#used))];
  }
}

function pathsOf({ unused }: Reading): string[] {
  return unused.map(({ path }) => formatPath(path));
}

function requireEditable(before: Reading): void {
  if (before.isEditable) return;
  const code = before.raw === undefined ? "CONFIG_UNREADABLE" : "CONFIG_SYNTAX";
  throw new GatewayError(code, before.issues.map(issueSentence).join("; "));
}
