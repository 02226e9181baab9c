// The object a plugin is given to register what it brings. What it calls and nobody has is a warning, never a failure.
import { resolve } from "node:path";
import type { StartOrder } from "../wire/orders.ts";
import type { Loose, Registry } from "./registry.ts";

export interface PluginLogger {
  debug(message: unknown, ...more: unknown[]): void;
  info(message: unknown, ...more: unknown[]): void;
  warn(message: unknown, ...more: unknown[]): void;
  error(message: unknown, ...more: unknown[]): void;
}

export interface ApiParts {
  readonly order: StartOrder;
  readonly registry: Registry;
  readonly logger: PluginLogger;
  readonly runtime: unknown;
  /** As it is now. */
  config(): unknown;
  pluginConfig(): unknown;
  /** Something was registered after the plugin was ready. */
  registered(): void;
}

type Handler = (...args: readonly never[]) => unknown;
type Fields = Record<string, unknown>;

/** Of these one object is kept as it is, for the part that adapts it. */
const OBJECTS = [
  "registerChannel",
  "registerProvider",
  "registerSpeechProvider",
  "registerMediaUnderstandingProvider",
  "registerImageGenerationProvider",
  "registerWebSearchProvider",
  "registerEmbeddingProvider",
  "registerMemoryPromptSection",
  "registerMemoryCapability",
  "registerMemoryRuntime",
  "registerMemoryFlushPlan",
  "registerInteractiveHandler",
  "registerAgentToolResultMiddleware",
  "registerHealthCheck",
] as const;

export function createApi(parts: ApiParts): object {
  const { order, registry, logger, runtime } = parts;
  const known: Fields = {
    id: order.id,
    name: registry.about.name ?? order.id,
    version: registry.about.version,
    description: registry.about.description,
    source: order.entry,
    rootDir: order.root,
    registrationMode: order.mode,
    get config() {
      return parts.config();
    },
    get pluginConfig() {
      return parts.pluginConfig();
    },
    runtime,
    logger,
    /** Plugins of the first months. */
    log: logger,
    resolvePath: (path: string) => resolvePath(path, order.root),
    ...registrations(parts),
  };
  return new Proxy(known, {
    get: (fields, name) => {
      if (typeof name === "symbol" || name in fields) return Reflect.get(fields, name);
      if (!/^(register|on[A-Z])/.test(name)) return undefined;
      return () => {
        registry.warn(`it calls ${name}, which this gateway does not have; what it registers there has no effect`);
        logger.warn(`${name} is not there; what is registered with it has no effect`);
      };
    },
  });
}

function registrations(parts: ApiParts): Fields {
  const { registry } = parts;
  const note =
    <A extends readonly unknown[]>(work: (...args: A) => void) =>
    (...args: A): void => {
      work(...args);
      parts.registered();
    };
  const objects = OBJECTS.map((register) => [
    register,
    note((first: unknown, second?: unknown) => registry.addOther(register, objectOf(first, second))),
  ]);
  return {
    ...Object.fromEntries(objects),
    registerTool: note((tool: unknown, options?: unknown) => addTool(registry, tool, looseOf(options))),
    on: note((hook: unknown, handler: unknown, options?: unknown) =>
      addHook(registry, hook, handler, looseOf(options)),
    ),
    registerHook: note((events: unknown, handler: unknown, options?: unknown) =>
      addInternalHook(registry, events, handler, looseOf(options)),
    ),
    registerHttpRoute: note((route: unknown) => addRoute(registry, looseOf(route))),
    registerHttpHandler: note((handler: unknown) =>
      registry.routes.push({
        path: "/",
        auth: "plugin",
        match: "any",
        handler: functionOf(handler, "registerHttpHandler"),
      }),
    ),
    registerGatewayMethod: note((name: unknown, handler: unknown) =>
      registry.methods.set(textOf(name, "a gateway method"), functionOf(handler, `the gateway method ${String(name)}`)),
    ),
    registerRpc: note((name: unknown, handler: unknown) =>
      registry.methods.set(textOf(name, "a gateway method"), functionOf(handler, `the gateway method ${String(name)}`)),
    ),
    registerCli: note((registrar: unknown, options?: unknown) => addCli(registry, registrar, looseOf(options))),
    registerService: note((service: unknown) => {
      const known = looseOf(service);
      registry.services.set(textOf(known["id"], "a service"), known);
    }),
    registerCommand: note((command: unknown) => addCommand(registry, looseOf(command))),
    registerContextEngine: note((id: unknown, factory: unknown) =>
      registry.addOther("registerContextEngine", { id, factory }),
    ),
    onConversationBindingResolved: note((handler: unknown) =>
      registry.addOther("onConversationBindingResolved", { handler }),
    ),
  };
}

function addTool(registry: Registry, tool: unknown, options: Loose): void {
  const named = [options["name"], ...(Array.isArray(options["names"]) ? (options["names"] as unknown[]) : [])];
  const names = named.filter((name): name is string => typeof name === "string");
  const isOptional = options["optional"] === true;
  if (typeof tool === "function") {
    registry.tools.push({ make: tool as (context: unknown) => unknown, names, isOptional });
    return;
  }
  const { name } = looseOf(tool);
  registry.tools.push({ make: () => tool, names: [...names, textOf(name, "a tool")], isOptional });
}

function addHook(registry: Registry, hook: unknown, handler: unknown, options: Loose): void {
  const { priority } = options;
  registry.hooks.push({
    hook: textOf(hook, "a hook"),
    priority: typeof priority === "number" && Number.isFinite(priority) ? priority : 0,
    handler: functionOf(handler, `the hook ${String(hook)}`),
  });
}

function addInternalHook(registry: Registry, events: unknown, handler: unknown, options: Loose): void {
  const list = (Array.isArray(events) ? events : [events]).filter(
    (event): event is string => typeof event === "string",
  );
  const { name } = options;
  registry.internalHooks.push({
    events: list,
    name: typeof name === "string" ? name : undefined,
    handler: functionOf(handler, `the hook ${list.join(", ")}`),
  });
}

function addRoute(registry: Registry, route: Loose): void {
  const path = textOf(route["path"], "an HTTP route");
  const clean = path.startsWith("/") ? path : `/${path}`;
  if (route["auth"] !== "gateway" && route["auth"] !== "plugin")
    registry.warn(`its route ${clean} does not say who lets requests in (auth), so the gateway's secret is asked for`);
  registry.routes.push({
    path: clean,
    auth: route["auth"] === "plugin" ? "plugin" : "gateway",
    match: route["match"] === "prefix" ? "prefix" : "exact",
    handler: functionOf(route["handler"], `the route ${clean}`),
  });
}

function addCommand(registry: Registry, command: Loose): void {
  const name = textOf(command["name"], "a command").replace(/^\//, "").toLowerCase();
  registry.commands.set(name, {
    name,
    description: String(command["description"] ?? ""),
    acceptsArgs: command["acceptsArgs"] === true,
    requireAuth: command["requireAuth"] !== false,
    handler: functionOf(command["handler"], `the command /${name}`),
  });
}

function addCli(registry: Registry, registrar: unknown, options: Loose): void {
  const listed = Array.isArray(options["commands"]) ? (options["commands"] as unknown[]) : [];
  const described = Array.isArray(options["descriptors"]) ? (options["descriptors"] as unknown[]) : [];
  const names = [...listed, ...described.map((one) => looseOf(one)["name"])];
  registry.cli.push({
    registrar: functionOf(registrar, "registerCli"),
    commands: names.filter((name): name is string => typeof name === "string"),
  });
}

/** `register(object)`, `register(id, object)` and `register({ plugin })` are all written. */
function objectOf(first: unknown, second: unknown): Loose {
  if (typeof first === "string") return { ...looseOf(second), id: first };
  if (typeof first === "function") return { handler: first };
  const loose = looseOf(first);
  const { plugin } = loose;
  return typeof plugin === "object" && plugin !== null && loose["id"] === undefined ? looseOf(plugin) : loose;
}

export function looseOf(value: unknown): Loose {
  return typeof value === "object" && value !== null ? (value as Loose) : {};
}

function textOf(value: unknown, what: string): string {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw new TypeError(`${what} is registered without a name`);
}

function functionOf(value: unknown, what: string): Handler {
  if (typeof value === "function") return value as Handler;
  throw new TypeError(`${what} is registered without a handler`);
}

function resolvePath(path: string, root: string): string {
  const home = process.env["HOME"];
  return path.startsWith("~/") && home !== undefined ? resolve(home, path.slice(2)) : resolve(root, path);
}
