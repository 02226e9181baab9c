// Tells hooks what happens: in order, each with a limited time, and so that none of them can break anything but itself.
import {
  HOOK_EVENTS,
  type BootstrapFile,
  type Clock,
  type HookEvent,
  type HookEventName,
  type HookHandler,
  type HookSignal,
  type Logger,
  OneAtATime,
} from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import { rulesFor } from "./discover.ts";
import { loadHandler } from "./load-handler.ts";
import { stampFolder } from "./read-folder.ts";
import type { KnownHooks, KnownHook } from "./known-hooks.ts";

/** How long one handler may take for one event. */
const HANDLER_MS = 5000;
const MOST_MESSAGES = 10;
const MOST_CHARS = 4000;
const MOST_ERROR_CHARS = 500;

export type HookVerdict =
  | { readonly kind: "go" }
  /** Only of events that decide something. */
  | { readonly kind: "veto"; readonly hook: string; readonly why: string };

const GO: HookVerdict = { kind: "go" };

export interface HookFailure {
  readonly at: number;
  readonly event: HookEventName;
  readonly error: string;
}

export interface RunnerParts {
  readonly shelf: KnownHooks;
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Changes with the configuration. */
  configVersion(): unknown;
  /** The handler of a hook that comes with the gateway. */
  bundled(name: string): Promise<HookHandler>;
  /** Shows a text to the person of a conversation. */
  say(sessionKey: string, text: string): Promise<void>;
}

/** A hook that is wanted. Loaded when it first hears something. */
interface Listener {
  readonly hook: KnownHook;
  readonly stamp: string;
  handler?: Promise<HookHandler>;
}

/** How one handler left an event. */
type Left =
  | { readonly kind: "fine" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed"; readonly error: string };

export class HookRunner {
  readonly #parts: RunnerParts;
  readonly #failures = new Map<string, HookFailure>();
  readonly #inOrder = new OneAtATime();
  #listeners: readonly Listener[] | undefined;
  #version: unknown;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  failureOf(name: string): HookFailure | undefined {
    return this.#failures.get(name);
  }

  /** The next event looks at the hooks anew. */
  refresh(): void {
    this.#listeners = undefined;
  }

  /** Never rejects. Who only watches is told in the order in which things happened; who decides is asked at once. */
  emit(signal: HookSignal): Promise<HookVerdict> {
    if (decides(signal.name)) return this.#tellSafely(signal);
    return this.#inOrder.run(signal.sessionKey, () => this.#tellSafely(signal));
  }

  /** When nobody can say which hooks there are, one of them may be a guard. */
  async #tellSafely(signal: HookSignal): Promise<HookVerdict> {
    try {
      return await this.#tellAll(signal);
    } catch (error) {
      this.#parts.log.error("hooks could not be told", { event: signal.name, error: textOf(error) });
      if (!decides(signal.name)) return GO;
      return { kind: "veto", hook: "all", why: "It cannot be seen which hooks there are. The log says why." };
    }
  }

  async #tellAll(signal: HookSignal): Promise<HookVerdict> {
    const listeners = this.#listening(signal);
    if (listeners.length === 0) return GO;
    const messages: string[] = [];
    let verdict = GO;
    for (const listener of listeners) {
      const left = await this.#tell(listener, signal, messages);
      verdict = decides(signal.name) ? verdictOf(listener.hook, left) : GO;
      if (verdict.kind === "veto") break;
    }
    await this.#say(signal.sessionKey, messages);
    return verdict;
  }

  #listening({ name, context }: HookSignal): Listener[] {
    const agentId = "agentId" in context ? context.agentId : undefined;
    return this.#current().filter(
      ({ hook }) =>
        hook.events.includes(name) && (!hook.agentIds || agentId === undefined || hook.agentIds.includes(agentId)),
    );
  }

  /** Those the owner wants and that run, and guards that should and cannot. */
  #current(): readonly Listener[] {
    const version = this.#parts.configVersion();
    const known = this.#listeners;
    if (known && version === this.#version && known.every(isUntouched)) return known;
    const before = new Map((known ?? []).map((listener) => [keyOf(listener.hook), listener]));
    this.#version = version;
    this.#listeners = this.#parts.shelf.look().flatMap((hook): Listener[] => {
      if (!hook.isWanted) return [];
      if (hook.state.kind !== "on") this.#tellOff(hook, known);
      if (hook.state.kind !== "on" && (!hook.isGuard || hook.state.kind === "off")) return [];
      const same = before.get(keyOf(hook));
      return [{ hook, stamp: stampOf(hook), ...(same?.handler ? { handler: same.handler } : {}) }];
    });
    return this.#listeners;
  }

  #tellOff({ name, state }: KnownHook, known: readonly Listener[] | undefined): void {
    const wasOn = known?.some(({ hook }) => hook.name === name && hook.state.kind === "on") ?? true;
    if (wasOn && state.kind !== "on") this.#parts.log.warn(`the hook ${name} does not run`, { why: state.why });
  }

  async #tell(listener: Listener, signal: HookSignal, messages: string[]): Promise<Left> {
    const { hook } = listener;
    const { state } = hook;
    if (state.kind !== "on") return this.#failed(hook, signal.name, state.why);
    const files = filesOf(signal);
    const end = new AbortController();
    let refusal: string | undefined;
    const event = eventOf(signal, this.#parts.clock.now(), messages, (why) => (refusal ??= why));
    try {
      const ended = await waitAtMost(HANDLER_MS, this.#run(listener, event, end.signal), this.#parts.clock);
      if (ended !== "late") return refusal === undefined ? { kind: "fine" } : { kind: "refused", why: refusal };
      restore(signal, files);
      return this.#failed(hook, signal.name, `it took longer than ${HANDLER_MS / 1000} seconds`);
    } catch (error) {
      restore(signal, files);
      return this.#failed(hook, signal.name, textOf(error));
    } finally {
      end.abort();
    }
  }

  async #run(listener: Listener, event: HookEvent, signal: AbortSignal): Promise<void> {
    const { name, source, settings, env } = listener.hook;
    const { stateDir, log } = this.#parts;
    listener.handler ??= source === "bundled" ? this.#parts.bundled(name) : loadHandler(listener.hook, stateDir);
    const loading = listener.handler;
    const handler = await loading.catch((error: unknown) => {
      delete listener.handler;
      throw error;
    });
    // Its own copy: settings are nothing a hook changes by writing into them.
    const own = structuredClone(settings);
    await handler(event, { name, settings: own, env, stateDir, log: log.child({ hook: name }), signal });
  }

  #failed({ name }: KnownHook, event: HookEventName, words: string): Left {
    const error = words.slice(0, MOST_ERROR_CHARS).toWellFormed();
    this.#failures.set(name, { at: this.#parts.clock.now(), event, error });
    this.#parts.log.warn(`the hook ${name} failed`, { hook: name, event, error });
    return { kind: "failed", error };
  }

  async #say(sessionKey: string, messages: readonly unknown[]): Promise<void> {
    if (sessionKey === "") return;
    const texts = messages.filter((text): text is string => typeof text === "string" && text.trim() !== "");
    for (const text of texts.slice(0, MOST_MESSAGES)) {
      try {
        await this.#parts.say(sessionKey, text.slice(0, MOST_CHARS).toWellFormed());
      } catch (error) {
        this.#parts.log.warn("what a hook says could not be shown", { session: sessionKey, error: textOf(error) });
      }
    }
  }
}

function decides(name: HookEventName): boolean {
  return "decides" in HOOK_EVENTS[name];
}

/** Each handler has one of its own: what it says of it after its time leads nowhere. */
function eventOf(
  { name, sessionKey, context }: HookSignal,
  now: number,
  messages: string[],
  refuse: (why: string) => void,
): HookEvent {
  const colon = name.indexOf(":");
  const event = {
    type: name.slice(0, colon),
    action: name.slice(colon + 1),
    sessionKey,
    timestamp: new Date(now),
    messages,
    context,
    cancel: (reason: unknown) =>
      refuse(typeof reason === "string" && reason.trim() !== "" ? reason : "It gave no reason."),
  };
  return event as unknown as HookEvent;
}

function verdictOf({ name, isGuard }: KnownHook, left: Left): HookVerdict {
  if (left.kind === "refused") return { kind: "veto", hook: name, why: left.why };
  if (left.kind === "fine" || !isGuard) return GO;
  return { kind: "veto", hook: name, why: "The hook guards this, and could not decide. The log says why." };
}

/** What a handler that fails did to the files is undone; what it still does to them later leads nowhere. */
function filesOf(signal: HookSignal): BootstrapFile[] | undefined {
  return signal.name === "agent:bootstrap" ? structuredClone(signal.context.bootstrapFiles) : undefined;
}

function restore(signal: HookSignal, files: BootstrapFile[] | undefined): void {
  if (files && signal.name === "agent:bootstrap") signal.context.bootstrapFiles = files;
}

function stampOf(hook: KnownHook): string {
  return hook.directory === undefined ? "" : stampFolder(hook.directory, rulesFor(hook));
}

function isUntouched({ hook, stamp }: Listener): boolean {
  return stampOf(hook) === stamp;
}

/** The same version of the same hook. */
function keyOf({ source, name, digest, directory }: KnownHook): string {
  return JSON.stringify([source, name, directory, digest]);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
