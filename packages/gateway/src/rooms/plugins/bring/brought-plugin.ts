// A plugin as the parts it brings see it: what it registered, what it was granted, and how it is asked.
import type { Logger } from "@chela/sdk";
import type { Catalogue, PluginCalls } from "@chela/plugin-host";
import type { Grant } from "../grants/grant.ts";
import type { CallOptions } from "../process/plugin-process.ts";

export interface HookRules {
  readonly allowPromptInjection?: boolean | undefined;
  readonly allowConversationAccess?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly timeouts?: Readonly<Record<string, number>> | undefined;
}

export interface BroughtPlugin {
  readonly id: string;
  readonly catalogue: Catalogue;
  readonly grant: Grant;
  readonly hookRules: HookRules;
  readonly log: Logger;
  /** Tells the owner, once, that something of it is not in effect. */
  warn(sentence: string): void;
  /** Starts it if need be. Rejects with a GatewayError. */
  call<Name extends keyof PluginCalls>(name: Name, asks: PluginCalls[Name], options?: CallOptions): Promise<unknown>;
}
