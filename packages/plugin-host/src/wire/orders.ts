// What the gateway tells the program of a plugin: how to start, what to do, and what it asked for.

/** Everything a plugin is given before its code is loaded. */
export interface StartOrder {
  readonly id: string;
  /** Real path of its folder. */
  readonly root: string;
  /** Absolute path of the module that is loaded; found in the folder, in the order that was published. */
  readonly entry: string;
  readonly origin: "bundled" | "global" | "workspace" | "config";
  readonly mode: "full" | "setup-only" | "setup-runtime";
  /** What plugins compare with versions of OpenClaw. */
  readonly hostVersion: string;
  /** A folder of its own that it may write to. */
  readonly dataDir: string;
  readonly workspaceDir: string;
  /** Without secrets, except those of its own entry. */
  readonly config: unknown;
  /** `plugins.entries.<id>.config` as it is written. */
  readonly pluginConfig: unknown;
  /** Port of this machine's loopback on which the way out is offered; absent where nothing has to be offered. */
  readonly forward?: { readonly port: number; readonly socket: string };
}

/** A request that was let in. Bodies are in base64. */
export interface HttpRequestAsks {
  readonly route: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly remoteAddress: string;
  readonly body: string;
}

/** What may be asked of a plugin, by name. Numbers are places in its catalogue. */
export interface PluginCalls {
  tool: { readonly name: string; readonly toolCallId: string; readonly params: unknown; readonly context: unknown };
  hook: { readonly hook: number; readonly event: unknown; readonly context: unknown };
  internalHook: { readonly hook: number; readonly event: unknown };
  route: HttpRequestAsks;
  method: { readonly name: string; readonly params: unknown; readonly client: unknown };
  command: { readonly name: string; readonly context: unknown };
  cli: { readonly argv: readonly string[] };
  serviceStart: { readonly id: string };
  serviceStop: { readonly id: string };
}

export type PluginCallName = keyof PluginCalls;

export type ToPlugin =
  | { readonly kind: "start"; readonly order: StartOrder }
  | {
      readonly [Name in PluginCallName]: {
        readonly kind: "call";
        readonly id: number;
        readonly name: Name;
        readonly asks: PluginCalls[Name];
      };
    }[PluginCallName]
  | { readonly kind: "cancel"; readonly id: number }
  /** What it asked for. */
  | { readonly kind: "answer"; readonly id: number; readonly gives: unknown }
  | { readonly kind: "refused"; readonly id: number; readonly why: string }
  | { readonly kind: "configured"; readonly config: unknown; readonly pluginConfig: unknown }
  | { readonly kind: "stop" };
