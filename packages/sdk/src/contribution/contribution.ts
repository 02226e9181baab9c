// Contribution: the one shape in which a room, a channel or a plugin says what it brings to the gateway.
//
// Each room exports one from its `contribution.ts`, each channel one from its `channel.ts`. The gateway reads the list of them at its
// start; lists of names, tables of methods and commands, and the reference are derived from it. Reading a contribution loads
// nothing heavy: whatever does work stands behind a function that imports it when it is needed.
import type { Change } from "../ledger.ts";
import type { Topic } from "../protocol/changes.ts";
import type { ChatCommand } from "./chat-command.ts";
import type { CommandSpec } from "./command-line.ts";
import type { DoctorCheck } from "./doctor.ts";
import type { ErrandSource } from "./errand-handler.ts";
import type { HookEventName } from "./hook-event.ts";
import type { HttpRoute } from "./http-route.ts";
import type { Handlers } from "../protocol/handlers.ts";
import type { Service } from "./service.ts";
import type { SecurityCheck } from "./security-check.ts";
import type { Tool } from "./tool.ts";
import type { EventHook, TypedHook } from "./typed-hook.ts";
import type { MethodName, MethodSpec } from "../protocol/methods.ts";

/** `House` is the table of services that what is brought may ask for. */
export interface Contribution<House> {
  /** Lower case, with hyphens; also the name of its folder. */
  readonly id: string;
  /** What it owns, in one sentence. */
  readonly says: string;
  /** What clients may call, by families that are loaded together. */
  readonly methods?: ReadonlyArray<MethodFamily<House>>;
  /** What is answered over HTTP; each handler loads what it needs with the first request. */
  readonly routes?: ReadonlyArray<HttpRoute<House>>;
  /** What clients are told has changed, and by what. */
  readonly topics?: Readonly<Partial<Record<Topic, TopicSources>>>;
  /** What agents can do; each is loaded and made with the first turn, and says the rest of itself (`Tool`). */
  readonly tools?: ReadonlyArray<(house: House) => Promise<Tool>>;
  /** What runs by itself, in order. */
  readonly services?: ReadonlyArray<Service<House>>;
  /** Which events it tells to hooks of the owner; what each is about stands in one table (`HOOK_EVENTS`). */
  readonly hookEvents?: readonly HookEventName[];
  /** Kinds of work nobody typed that it gives. */
  readonly errands?: ReadonlyArray<ErrandSource<House>>;
  /** Points on the way of a turn where it looks, or has a say. */
  readonly typedHooks?: readonly TypedHook[];
  /** Events of the owner's hooks that it hears as well. */
  readonly eventHooks?: readonly EventHook[];
  /** Words for the gateway instead of a model; loaded with the first message. */
  commands?(): Promise<ReadonlyArray<ChatCommand<House>>>;
  /** Commands of the command line, in the order of its help; a gateway never loads them. */
  readonly cli?: () => Promise<readonly CommandSpec[]>;
  /** What `chela doctor` looks at, in order; loaded when it is asked. */
  readonly doctor?: () => Promise<ReadonlyArray<DoctorCheck<House>>>;
  /** What `chela security audit` asks about it; loaded when it is asked. */
  readonly securityChecks?: () => Promise<readonly SecurityCheck[]>;
}

/** Where a topic of the event `changed` comes from, besides what a service notes by itself (`house.changes`). */
export interface TopicSources {
  /** Changes of the ledger. */
  readonly commits?: readonly Change["kind"][];
  /** First keys of the configuration. */
  readonly config?: readonly string[];
}

export interface MethodFamily<House> {
  readonly specs: Readonly<Record<string, MethodSpec>>;
  /**
   * Loaded before the first client is let in. For methods that take something away from a caller: what was sent behind
   * such a call must not overtake it while its code is loaded.
   */
  readonly isLoadedFirst?: true;
  load(house: House): Promise<Readonly<Partial<Handlers>>>;
}

/** A family of methods; the compiler sees to it that each method of the table has its handler. */
export function methods<House, S extends Readonly<Record<string, MethodSpec>>>(
  specs: S,
  load: (house: House) => Promise<Pick<Handlers, keyof S & MethodName>>,
  options: Pick<MethodFamily<House>, "isLoadedFirst"> = {},
): MethodFamily<House> {
  return { specs, load, ...options };
}
