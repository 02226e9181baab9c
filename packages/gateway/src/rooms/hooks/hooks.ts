// The hooks of a running gateway: told of events, listed, switched on and off.
import type { Clock, HookEventName, HookSignal, Logger } from "@chela/sdk";
import { BUNDLED_MANIFESTS, loadBundled } from "./bundled/index.ts";
import type { BundledNeeds } from "./bundled/needs.ts";
import { HookRunner, type HookFailure, type HookVerdict } from "./run-hooks.ts";
import { KnownHooks, type KnownHooksParts, type KnownHook } from "./known-hooks.ts";

export interface HooksParts extends Omit<KnownHooksParts, "bundled">, BundledNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  /** Shows a text to the person of a conversation. */
  say(sessionKey: string, text: string): Promise<void>;
}

export interface HookReport {
  readonly name: string;
  readonly description: string;
  readonly emoji?: string;
  readonly homepage?: string;
  readonly source: KnownHook["source"];
  readonly path?: string;
  readonly events: readonly HookEventName[];
  readonly unknownEvents: readonly string[];
  readonly guard: boolean;
  /** The owner wants it. */
  readonly enabled: boolean;
  /** It could run, or does. */
  readonly eligible: boolean;
  readonly state: KnownHook["state"]["kind"];
  readonly why?: string;
  readonly requires: Readonly<Record<string, readonly string[]>>;
  readonly lastError?: HookFailure;
}

/** What can be said and changed of hooks; also without a gateway. */
export interface HookCatalogue {
  list(): HookReport[];
  info(name: string): HookReport;
  enable(name: string): HookReport;
  disable(name: string): HookReport;
}

export interface Hooks extends HookCatalogue {
  /** Never rejects. */
  emit(signal: HookSignal): Promise<HookVerdict>;
}

export function createHookCatalogue(parts: Omit<KnownHooksParts, "bundled">): HookCatalogue {
  const shelf = new KnownHooks({ ...parts, bundled: BUNDLED_MANIFESTS });
  return catalogueOf(shelf, () => undefined);
}

export function createHooks(parts: HooksParts): Hooks {
  const shelf = new KnownHooks({ ...parts, bundled: BUNDLED_MANIFESTS });
  const runner = new HookRunner({
    ...parts,
    shelf,
    configVersion: () => parts.config(),
    bundled: (name) => loadBundled(name, parts),
  });
  const catalogue = catalogueOf(shelf, (name) => runner.failureOf(name));
  const change = (report: HookReport): HookReport => {
    runner.refresh();
    return report;
  };
  return {
    ...catalogue,
    enable: (name) => change(catalogue.enable(name)),
    disable: (name) => change(catalogue.disable(name)),
    emit: (signal) => runner.emit(signal),
  };
}

export interface HookCheck {
  readonly total: number;
  readonly eligible: string[];
  readonly notEligible: Array<{ name: string; state: string; why: string }>;
}

/** What could run, and what the others lack. */
export function checkHooks(hooks: readonly HookReport[]): HookCheck {
  return {
    total: hooks.length,
    eligible: hooks.filter(({ eligible }) => eligible).map(({ name }) => name),
    notEligible: hooks.filter(({ eligible }) => !eligible).map(({ name, state, why = "" }) => ({ name, state, why })),
  };
}

function catalogueOf(shelf: KnownHooks, failureOf: (name: string) => HookFailure | undefined): HookCatalogue {
  const report = (hook: KnownHook): HookReport => reportOf(hook, failureOf(hook.name));
  return {
    list: () => shelf.look().map(report),
    info: (name) => report(shelf.find(name)),
    enable: (name) => report(shelf.enable(name)),
    disable: (name) => report(shelf.disable(name)),
  };
}

function reportOf(hook: KnownHook, lastError: HookFailure | undefined): HookReport {
  const { name, source, directory, manifest, events, state } = hook;
  const requires = Object.entries(manifest?.requires ?? {}).filter(([, list]) => list && list.length > 0);
  return {
    name,
    description: manifest?.description ?? "",
    ...(manifest?.emoji ? { emoji: manifest.emoji } : {}),
    ...(manifest?.homepage ? { homepage: manifest.homepage } : {}),
    source,
    ...(directory ? { path: directory } : {}),
    events,
    unknownEvents: manifest?.unknownEvents ?? [],
    guard: hook.isGuard,
    enabled: hook.isWanted,
    eligible: state.kind === "on" || state.kind === "off",
    state: state.kind,
    ...(state.kind === "on" ? {} : { why: state.why }),
    requires: Object.fromEntries(requires) as HookReport["requires"],
    ...(lastError ? { lastError } : {}),
  };
}
