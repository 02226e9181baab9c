// A plugin as it was found on the disk, before anybody decided whether it may run.

export type PluginOrigin = "bundled" | "global" | "workspace" | "config";

/** Why its files are not touched any further. */
export type BlockedReason =
  | "source_escapes_root"
  | "path_stat_failed"
  | "path_world_writable"
  | "path_suspicious_ownership";

export type Trouble =
  | { readonly kind: "blocked"; readonly reason: BlockedReason; readonly why: string; readonly fix: string }
  | { readonly kind: "broken"; readonly why: string; readonly fix: string };

/** What a manifest wants that was read so far as it could be. */
export interface PluginManifest {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly kinds: readonly string[];
  readonly enabledByDefault: boolean;
  readonly configSchema?: Readonly<Record<string, unknown>>;
  readonly uiHints?: Readonly<Record<string, unknown>>;
  readonly channels: readonly string[];
  readonly providers: readonly string[];
  /** Folders with skills, relative to the plugin. */
  readonly skills: readonly string[];
  /** Variables its providers look for. */
  readonly envNames: readonly string[];
  readonly toolNames: readonly string[];
  readonly requiresPlugins: readonly string[];
  readonly startsWithGateway: boolean;
  readonly mcpServers: Readonly<Record<string, unknown>>;
  /** What it says itself that it needs. */
  readonly permissions?: Readonly<Record<string, unknown>>;
  readonly minHostVersion?: string;
}

/** A folder made for another program: it gives files, and no code of it runs. */
export interface Bundle {
  readonly of: "claude" | "codex" | "cursor" | "agent-plugins";
  readonly skills: readonly string[];
  readonly commands: readonly string[];
  readonly mcpServers: readonly string[];
  /** Parts that are there and have no effect here. */
  readonly unused: readonly string[];
}

export interface FoundPlugin {
  readonly id: string;
  readonly origin: PluginOrigin;
  /** Real path of its folder; of a loose file the folder it lies in. */
  readonly root: string;
  /** The one file it consists of, when it is no folder. */
  readonly file?: string;
  /** As it was written in the configuration, or found. */
  readonly source: string;
  /** The agents in whose workspace it lies. */
  readonly agentIds?: readonly string[];
  /** Module that is loaded; absent for bundles and where there is none. */
  readonly entry?: string;
  readonly manifest: PluginManifest;
  readonly bundle?: Bundle;
  readonly warnings: readonly string[];
  readonly trouble?: Trouble;
}
