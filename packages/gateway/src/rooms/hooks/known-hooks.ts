// All hooks there are, and whether each may run: switched on by the owner, complete, and unchanged since somebody looked.
import { join } from "node:path";
import { GatewayError, type Clock, type HookEventName } from "@chela/sdk";
import { discoverHooks, rulesFor, type FoundHook, type NamedHandler } from "./discover.ts";
import type { Manifest } from "./manifest.ts";
import { eventsOf, readPins, writePins, type Pin } from "./pins.ts";
import { readFolder } from "./read-folder.ts";
import { missingFor } from "./requirements.ts";

export interface HookSettings {
  readonly enabled?: boolean | undefined;
  readonly env?: Readonly<Record<string, unknown>> | undefined;
  readonly [key: string]: unknown;
}

/** `hooks.internal` of the configuration. */
interface HookConfig {
  readonly enabled?: boolean | undefined;
  readonly entries?: Readonly<Record<string, HookSettings>> | undefined;
}

export interface KnownHooksParts {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly platform: string;
  readonly bundled: readonly Manifest[];
  /** The whole configuration, for what hooks require of it. */
  config(): { readonly hooks?: { readonly internal?: HookConfig | undefined } | undefined };
  env(): Readonly<Record<string, string | undefined>>;
  /** Directories of the owner's that hold more hooks. */
  extraDirs(): readonly string[];
  /** Handlers the configuration names by their files. */
  named?(): readonly NamedHandler[];
  workspaces(): ReadonlyArray<{ readonly path: string; readonly agentIds: readonly string[] }>;
  /** Writes a switch into the configuration file. */
  setConfig(path: string, value: boolean): void;
}

type HookState =
  | { readonly kind: "on" }
  | { readonly kind: "off" | "shadowed" | "changed" | "missing" | "broken"; readonly why: string };

export interface KnownHook extends FoundHook {
  readonly state: HookState;
  /** Where the owner says whether it is on, and what else it is told. */
  readonly settings: HookSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly events: readonly HookEventName[];
  readonly isGuard: boolean;
  /** The owner wants it, whether it can run or not. */
  readonly isWanted: boolean;
  /** Of its files, when it may run. */
  readonly digest?: string;
}

const NO_SETTINGS: HookSettings = {};
const WAITS = "It lies in a workspace, where agents write: it runs only after `chela hooks enable` by the owner.";
const CHANGED = "Its files changed since it was enabled. Look at them, then enable it again.";

export class KnownHooks {
  readonly #parts: KnownHooksParts;

  constructor(parts: KnownHooksParts) {
    this.#parts = parts;
  }

  /** As things are now; in the order in which they run. */
  look(): KnownHook[] {
    const pins = readPins(this.#parts.stateDir);
    const taken = new Map<string, FoundHook>();
    const found = this.#find();
    const shelved = found.map((hook) => {
      const first = taken.get(hook.name);
      if (!first) taken.set(hook.name, hook);
      return this.#shelve(hook, first, pins.get(hook.name));
    });
    const isThere = (name: string, { directory }: Pin): boolean =>
      found.some((hook) => hook.name === name && hook.directory === directory);
    const lost = [...pins].filter(([name, pin]) => !isThere(name, pin)).map(([name, pin]) => this.#lost(name, pin));
    return [...shelved, ...lost].sort(inOrder);
  }

  find(name: string): KnownHook {
    const hooks = this.look().filter((hook) => hook.name === name);
    const isMeant = ({ state, manifest }: KnownHook): boolean => state.kind !== "shadowed" && manifest !== undefined;
    const found = hooks.find(isMeant) ?? hooks[0];
    if (!found) throw new GatewayError("HOOK_UNKNOWN", name);
    return found;
  }

  /** Of one in a workspace, the files as they are now are what may run from now on. */
  enable(name: string): KnownHook {
    const hook = this.find(name);
    const { state, directory, source } = hook;
    if (state.kind === "missing" || state.kind === "broken") throw refusal(name, state.why);
    if (directory !== undefined) {
      const read = readFolder(directory, rulesFor(hook));
      if (read.kind === "refused") throw refusal(name, sentence(read.why));
      if (source === "workspace") this.#pin(hook, directory, read.digest);
    }
    this.#write(hook, true);
    return this.find(name);
  }

  disable(name: string): KnownHook {
    const hook = this.find(name);
    this.#write(hook, false);
    const pins = new Map(readPins(this.#parts.stateDir));
    if (pins.delete(name)) writePins(this.#parts.stateDir, pins);
    // One whose folder is gone is forgotten with its pin.
    return this.look().find((one) => one.name === name) ?? { ...hook, state: { kind: "off", why: "It is off." } };
  }

  #find(): FoundHook[] {
    const { stateDir, bundled, extraDirs, workspaces, named } = this.#parts;
    return discoverHooks({
      bundled,
      managed: join(stateDir, "hooks"),
      extra: extraDirs(),
      workspaces: workspaces(),
      named: named?.() ?? [],
    });
  }

  #shelve(hook: FoundHook, first: FoundHook | undefined, pin: Pin | undefined): KnownHook {
    const settings = this.#settingsOf(hook);
    const own = hook.source === "workspace" && pin?.directory === hook.directory ? pin : undefined;
    const env = { ...this.#parts.env(), ...textsOf(settings.env) };
    const judged = this.#judge(hook, first, own, settings, env);
    return {
      ...hook,
      settings,
      env,
      isWanted: isEnabled(hook, settings) && judged.state.kind !== "shadowed",
      isGuard: own?.guard || (hook.manifest?.guard ?? false),
      events: own?.guard ? eventsOf(own) : (hook.manifest?.events ?? []),
      ...judged,
    };
  }

  #judge(
    hook: FoundHook,
    first: FoundHook | undefined,
    pin: Pin | undefined,
    settings: HookSettings,
    env: KnownHook["env"],
  ): Pick<KnownHook, "state" | "digest"> {
    const { manifest, directory, source } = hook;
    if (first) return { state: { kind: "shadowed", why: `${nameOf(first)} has this name, and keeps it.` } };
    if (!manifest || hook.broken) return { state: { kind: "broken", why: hook.broken ?? "It cannot be read." } };
    const { platform, config } = this.#parts;
    const missing = missingFor(manifest, { platform, env, config: config() });
    if (missing.length > 0) return { state: { kind: "missing", why: missing.join(" ") } };
    if (!isEnabled(hook, settings)) {
      const why = source === "workspace" ? WAITS : "It is off until somebody enables it.";
      return { state: { kind: "off", why } };
    }
    if (source === "workspace" && !pin) return { state: { kind: "off", why: WAITS } };
    const isSwitchedOn = config().hooks?.internal?.enabled ?? hook.isNamed;
    const off = isSwitchedOn !== true;
    if (off) return { state: { kind: "off", why: "All hooks are switched off: hooks.internal.enabled is not true." } };
    if (directory === undefined) return { state: { kind: "on" } };
    const read = readFolder(directory, rulesFor(hook));
    if (read.kind === "refused") return { state: { kind: "broken", why: sentence(read.why) } };
    if (pin && pin.digest !== read.digest) return { state: { kind: "changed", why: CHANGED } };
    return { state: { kind: "on" }, digest: read.digest };
  }

  /** It was enabled, and its folder is gone or cannot be recognised any more. */
  #lost(name: string, pin: Pin): KnownHook {
    const settings = this.#settingsOf({ name, source: "workspace" });
    const known = this.#parts.workspaces().find(({ path }) => pin.directory.startsWith(join(path, "hooks")));
    return {
      name,
      source: "workspace",
      directory: pin.directory,
      ...(known ? { agentIds: known.agentIds } : {}),
      settings,
      env: {},
      isWanted: settings.enabled === true,
      isGuard: pin.guard,
      events: eventsOf(pin),
      state: { kind: "broken", why: "It was enabled, and its folder is gone. `chela hooks disable` forgets it." },
    };
  }

  #settingsOf(hook: FoundHook): HookSettings {
    const entries = this.#parts.config().hooks?.internal?.entries ?? {};
    const key = keyOf(hook);
    return Object.hasOwn(entries, key) ? (entries[key] ?? NO_SETTINGS) : NO_SETTINGS;
  }

  #pin({ name, events, isGuard, manifest }: KnownHook, directory: string, digest: string): void {
    const { stateDir, clock } = this.#parts;
    const guard = manifest?.guard ?? isGuard;
    const pin: Pin = { directory, digest, enabledAt: clock.now(), guard, events: [...(manifest?.events ?? events)] };
    writePins(stateDir, new Map([...readPins(stateDir), [name, pin]]));
  }

  #write(hook: FoundHook, enabled: boolean): void {
    this.#parts.setConfig(`hooks.internal.entries.${keyOf(hook)}.enabled`, enabled);
    const isOn = this.#parts.config().hooks?.internal?.enabled === true;
    if (enabled && !isOn) this.#parts.setConfig("hooks.internal.enabled", true);
  }
}

const isEnabled = ({ isNamed }: FoundHook, { enabled = isNamed }: HookSettings): boolean => enabled === true;

/** What lies in a workspace has no say in whose settings it gets. */
function keyOf({ source, name, manifest }: FoundHook): string {
  return source === "workspace" ? name : (manifest?.hookKey ?? name);
}

const ORDER: readonly FoundHook["source"][] = ["bundled", "managed", "extra", "workspace"];

function inOrder(one: KnownHook, other: KnownHook): number {
  const apart = ORDER.indexOf(one.source) - ORDER.indexOf(other.source);
  return apart !== 0 ? apart : one.name < other.name ? -1 : 1;
}

function nameOf({ source }: FoundHook): string {
  if (source === "bundled") return "A hook that comes with the gateway";
  return source === "workspace" ? "A hook of another workspace" : "A hook of the owner";
}

function textsOf(env: HookSettings["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function refusal(name: string, why: string): GatewayError {
  return new GatewayError("HOOK_REQUEST", `${name} cannot be enabled. ${why}`);
}

function sentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}
