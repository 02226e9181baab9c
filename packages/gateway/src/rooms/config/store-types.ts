// Types of the config store for the rest of the gateway.
import type { Clock, Logger, Secret } from "@chela/sdk";
import type { ProcessEnv } from "./read/environment.ts";
import type { ConfigIssue } from "./read/issue.ts";
import type { Path } from "./edit/path.ts";
import type { ReloadPlan } from "./reload.ts";
import type { ChelaConfig } from "./schema/sections.ts";
import type { SecretResolver } from "./read/secret-references.ts";
import type { StatePaths } from "./state/state-paths.ts";

export interface ConfigStoreOptions {
  readonly paths: StatePaths;
  readonly env: ProcessEnv;
  readonly clock: Clock;
  readonly log: Logger;
  /** Stamped into the file on each write. */
  readonly version: string;
  /** Secrets that are kept elsewhere; without it a reference to one is an issue. */
  readonly secrets?: SecretStore;
}

export interface SecretStore {
  readonly resolve: SecretResolver;
  /** Files whose change may change a secret. */
  files(): readonly string[];
  /** Resolves when secrets can be found; undefined when they can be already. */
  opening?(): Promise<unknown> | undefined;
}

export type ConfigSource = "file" | "last-good" | "defaults";

export interface ConfigSnapshot {
  readonly path: string;
  readonly exists: boolean;
  /** Where the config in use comes from. */
  readonly source: ConfigSource;
  readonly config: ChelaConfig;
  /** Of the file as it was last read. */
  readonly hash: string;
  readonly valid: boolean;
  readonly issues: readonly ConfigIssue[];
  readonly warnings: readonly ConfigIssue[];
  readonly legacyIssues: readonly ConfigIssue[];
}

/** What clients see. Secrets are replaced everywhere. */
export interface ConfigDescription {
  readonly path: string;
  readonly exists: boolean;
  readonly raw: string | null;
  readonly parsed: unknown;
  readonly resolved: unknown;
  readonly valid: boolean;
  readonly config: unknown;
  readonly hash: string;
  readonly issues: readonly ConfigIssue[];
  readonly warnings: readonly ConfigIssue[];
  readonly legacyIssues: readonly ConfigIssue[];
  /** Keys that are right but have no effect in this version. */
  readonly notUsedYet: readonly string[];
  readonly source: ConfigSource;
}

export interface ConfigCheck {
  readonly valid: boolean;
  readonly issues: readonly ConfigIssue[];
  readonly warnings: readonly ConfigIssue[];
  /** Keys that are right but have no effect in this version. */
  readonly notUsedYet: readonly string[];
}

/** What is to be said of a text that nobody has written yet. */
export interface TextCheck {
  /** Whether it could be written. */
  readonly ok: boolean;
  readonly issues: readonly (ConfigIssue & { readonly level: "error" | "warning" })[];
  readonly notUsedYet: readonly string[];
}

export type ReloadReport =
  | { readonly kind: "unchanged" }
  | { readonly kind: "applied"; readonly plan: ReloadPlan; readonly warnings: readonly ConfigIssue[] }
  | { readonly kind: "broken"; readonly says: string; readonly issues: readonly ConfigIssue[] }
  | { readonly kind: "gone"; readonly says: string };

export type WriteReport =
  | { readonly kind: "unchanged"; readonly hash: string }
  | {
      readonly kind: "written";
      readonly hash: string;
      readonly plan: ReloadPlan;
      readonly warnings: readonly ConfigIssue[];
    };

export interface WrittenSecret {
  readonly path: string;
  readonly content:
    | { readonly kind: "plain"; readonly value: Secret }
    | { readonly kind: "vault"; readonly id: string };
}

/** What the config would be after a patch. */
export interface PatchPreview {
  readonly config: ChelaConfig;
  readonly secrets: readonly WrittenSecret[];
  /** Secrets that would stand in the file in plain text, and do not now. */
  readonly fresh: ReadonlyArray<{ readonly path: string; readonly value: Secret }>;
}

/** A change that somebody wants to make: of the whole text, or of what a merge patch names. */
export interface ConfigWish {
  readonly kind: "whole" | "patch";
  readonly raw: string;
  readonly baseHash?: string | undefined;
}

export type PathValue = { readonly kind: "found"; readonly value: unknown } | { readonly kind: "absent" };

export interface ConfigStore {
  current(): ChelaConfig;
  /** Secrets as they are written in the main file: plain ones, and the credentials of the vault it refers to. */
  writtenSecrets(): readonly WrittenSecret[];
  snapshot(): ConfigSnapshot;
  /** Paths in the config in use that have no effect in this version. */
  notUsedYet(): readonly string[];
  /** Every secret of the config in use, and of what has no effect in it, for the logger's redaction. */
  secrets(): readonly string[];
  /** The process environment with what .env and the config add to it. */
  effectiveEnv(): Readonly<Record<string, string>>;
  /** The file as it is now, for clients. */
  describe(): ConfigDescription;
  check(): ConfigCheck;
  /** What replacing the whole file by this text would meet; nothing is written. */
  checkText(raw: string): TextCheck;
  /** A value of the config in use, secrets replaced. */
  getPath(path: string): PathValue;
  /** Reads the file again. A broken one changes nothing but the report. */
  reload(): ReloadReport;
  /** Reads it again because a secret it refers to may have changed, and tells those who watch. */
  refresh(): void;
  /** Calls back after each change of the file or through this store. */
  watch(listener: (report: ReloadReport) => void): Disposable;
  replaceAll(raw: string, baseHash?: string): WriteReport;
  /** `references` are written instead of what the patch has at these places. */
  mergePatch(raw: string, baseHash?: string, references?: ReadonlyMap<string, string>): WriteReport;
  /** Throws what `mergePatch` would; nothing is written. */
  previewPatch(raw: string, baseHash?: string): PatchPreview;
  /** Every place that would be another, in the file or in what it comes to. Throws what writing it would. */
  changesOf(wish: ConfigWish): Path[];
  setPath(path: string, value: unknown): WriteReport;
  unsetPath(path: string): WriteReport;
  /** Lays a value over the config until the gateway stops. Throws CONFIG_INVALID. */
  override(path: string, value: unknown): void;
  dropOverride(path: string): boolean;
  dropOverrides(): void;
  /** What is laid over, by path, secrets replaced. */
  overrides(): Readonly<Record<string, unknown>>;
  close(): void;
}
