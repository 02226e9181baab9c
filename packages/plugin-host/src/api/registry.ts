// What a plugin registered, kept where it can be called, and told as a catalogue.
import type { Catalogue } from "../wire/told.ts";

type Handler = (...args: readonly never[]) => unknown;
/** Things of plugins are looked at, and used as far as they are what they should be. */
export type Loose = Readonly<Record<string, unknown>>;

export interface PluginTool {
  readonly name: string;
  readonly label?: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly ownerOnly?: boolean;
  readonly execute: Handler;
}

export interface ToolFactory {
  readonly make: (context: unknown) => unknown;
  readonly names: readonly string[];
  readonly isOptional: boolean;
}

export interface TypedHandler {
  readonly hook: string;
  readonly priority: number;
  readonly handler: Handler;
}

export interface InternalHandler {
  readonly events: readonly string[];
  readonly name: string | undefined;
  readonly handler: Handler;
}

export interface Route {
  readonly path: string;
  readonly auth: "gateway" | "plugin";
  readonly match: "exact" | "prefix" | "any";
  readonly handler: Handler;
}

export interface Command {
  readonly name: string;
  readonly description: string;
  readonly acceptsArgs: boolean;
  readonly requireAuth: boolean;
  readonly handler: Handler;
}

export interface CliPart {
  readonly registrar: Handler;
  readonly commands: readonly string[];
}

export class Registry {
  readonly tools: ToolFactory[] = [];
  readonly hooks: TypedHandler[] = [];
  readonly internalHooks: InternalHandler[] = [];
  readonly routes: Route[] = [];
  readonly methods = new Map<string, Handler>();
  readonly commands = new Map<string, Command>();
  readonly cli: CliPart[] = [];
  readonly services = new Map<string, Loose>();
  /** By the name of the method that registered them. */
  readonly others = new Map<string, Loose[]>();
  readonly warnings: string[] = [];
  /** What the module says of itself. */
  about: { readonly name?: string; readonly description?: string; readonly version?: string } = {};

  addOther(register: string, object: Loose): void {
    this.others.set(register, [...(this.others.get(register) ?? []), object]);
  }

  warn(sentence: string): void {
    if (this.warnings.length < 100 && !this.warnings.includes(sentence)) this.warnings.push(sentence);
  }
}

/** `tools` are those made for a conversation nobody is in: how models are told of them. */
export function catalogueOf(registry: Registry, tools: Catalogue["tools"]): Catalogue {
  const { about, hooks, internalHooks, routes, methods, commands, cli, services, others, warnings } = registry;
  return {
    ...about,
    tools,
    hooks: hooks.map(({ hook, priority }, place) => ({ place, hook, priority })),
    internalHooks: internalHooks.map(({ events, name }, place) => ({
      place,
      events: [...events],
      ...(name === undefined ? {} : { name }),
    })),
    routes: routes.map(({ path, auth, match }, place) => ({ place, path, auth, match })),
    methods: [...methods.keys()],
    commands: [...commands.values()].map(({ name, description, acceptsArgs, requireAuth }) => ({
      name,
      description,
      acceptsArgs,
      requireAuth,
    })),
    cli: [...new Set(cli.flatMap(({ commands: names }) => names))],
    services: [...services.keys()],
    others: [...others].flatMap(([register, objects]) =>
      objects.map(({ id }) => ({ register, ...(typeof id === "string" ? { id } : {}) })),
    ),
    warnings: [...warnings],
  };
}
