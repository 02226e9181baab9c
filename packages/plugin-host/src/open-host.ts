// The host of one plugin: loads it when it is told to, answers what is asked of it, and says what it registered.
import { pathToFileURL } from "node:url";
import { createApi, looseOf, type PluginLogger } from "./api/api.ts";
import { answerRequest } from "./api/http.ts";
import { catalogueOf, Registry, type Loose } from "./api/registry.ts";
import { createRuntime } from "./api/runtime.ts";
import { Tools } from "./api/tools.ts";
import { installLoader } from "./loader/install.ts";
import type { Link } from "./wire/link.ts";
import type { PluginCallName, PluginCalls, StartOrder, ToPlugin } from "./wire/orders.ts";
import type { FromPlugin } from "./wire/told.ts";

type AnyHandler = (...args: unknown[]) => unknown;

interface Asked {
  readonly resolve: (gives: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** For whom tools are described while nobody in particular asks. */
const NOBODY = { senderIsOwner: true, sandboxed: false };

/** `ended` is called when the plugin has let go of everything. */
export function openHost(link: Link<FromPlugin, ToPlugin>, ended: () => void): void {
  const host = new Host(link, ended);
  host.listen();
}

class Host {
  readonly #link: Link<FromPlugin, ToPlugin>;
  readonly #registry = new Registry();
  readonly #tools = new Tools(this.#registry);
  readonly #running = new Map<number, AbortController>();
  readonly #asked = new Map<number, Asked>();
  readonly #ended: () => void;
  #lastAsked = 0;
  #order: StartOrder | undefined;
  #config: unknown;
  #pluginConfig: unknown;
  #isReady = false;
  #isTelling = false;

  constructor(link: Link<FromPlugin, ToPlugin>, ended: () => void) {
    this.#link = link;
    this.#ended = ended;
  }

  listen(): void {
    this.#link.onMessage((message) => void this.#hear(message));
    this.#link.onClose(() => void this.#stop());
  }

  async #hear(message: ToPlugin): Promise<void> {
    switch (message.kind) {
      case "start":
        return this.#start(message.order);
      case "call":
        return this.#answer(message.id, message.name, message.asks);
      case "cancel":
        return this.#running.get(message.id)?.abort();
      case "answer":
      case "refused": {
        const asked = this.#asked.get(message.id);
        this.#asked.delete(message.id);
        if (message.kind === "answer") asked?.resolve(message.gives);
        else asked?.reject(new Error(message.why));
        return;
      }
      case "configured":
        this.#config = message.config;
        this.#pluginConfig = message.pluginConfig;
        return this.#tools.forget();
      case "stop":
        return this.#stop();
    }
  }

  async #start(order: StartOrder): Promise<void> {
    this.#order = order;
    this.#config = order.config;
    this.#pluginConfig = order.pluginConfig;
    installLoader(order.root);
    let stage: "import" | "register" = "import";
    try {
      const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(order.entry).href);
      const { register, about } = pluginIn(loaded);
      this.#registry.about = about;
      stage = "register";
      await register?.(this.#api(order));
    } catch (error) {
      return this.#link.send({ kind: "not-loaded", stage, why: describe(error) });
    }
    const catalogue = await this.#catalogue();
    this.#isReady = true;
    this.#link.send({ kind: "ready", catalogue });
  }

  #api(order: StartOrder): object {
    const logger = this.#logger;
    const config = (): unknown => this.#config;
    return createApi({
      order,
      logger,
      config,
      registry: this.#registry,
      pluginConfig: () => this.#pluginConfig,
      runtime: createRuntime({ order, logger, config, ask: (name, asks) => this.#ask(name, asks) }),
      registered: () => this.#tellLater(),
    });
  }

  readonly #logger: PluginLogger = {
    debug: (...words) => this.#log("debug", words),
    info: (...words) => this.#log("info", words),
    warn: (...words) => this.#log("warn", words),
    error: (...words) => this.#log("error", words),
  };

  #log(level: "debug" | "info" | "warn" | "error", words: readonly unknown[]): void {
    const message = words.map((one) => (typeof one === "string" ? one : describe(one))).join(" ");
    this.#link.send({ kind: "log", level, message: message.slice(0, 4_000) });
  }

  async #catalogue() {
    return catalogueOf(this.#registry, await this.#tools.described({ ...NOBODY, config: this.#config }));
  }

  /** Some register more when they are asked for something, or a moment after they were loaded. */
  #tellLater(): void {
    if (!this.#isReady || this.#isTelling) return;
    this.#isTelling = true;
    setImmediate(async () => {
      this.#isTelling = false;
      this.#tools.forget();
      this.#link.send({ kind: "registered", catalogue: await this.#catalogue() });
    });
  }

  #ask(name: string, asks: unknown): Promise<unknown> {
    const id = (this.#lastAsked += 1);
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#link.send({ kind: "ask", id, name, asks });
    });
  }

  async #answer<Name extends PluginCallName>(id: number, name: Name, asks: PluginCalls[Name]): Promise<void> {
    const end = new AbortController();
    this.#running.set(id, end);
    const progress = (data: unknown): void => this.#link.send({ kind: "progress", id, data });
    try {
      const gives = await this.#calls[name](asks, end.signal, progress);
      this.#link.send({ kind: "gave", id, gives: gives ?? null });
    } catch (error) {
      this.#link.send({ kind: "failed", id, why: messageOf(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  readonly #calls: {
    readonly [Name in PluginCallName]: (
      asks: PluginCalls[Name],
      signal: AbortSignal,
      progress: (data: unknown) => void,
    ) => unknown;
  } = {
    tool: (asks, signal, progress) => {
      const context = { ...looseOf(asks.context), config: this.#config };
      return this.#tools.call({ ...asks, context }, signal, progress);
    },
    hook: ({ hook, event, context }) => call(this.#registry.hooks[hook]?.handler, event, context),
    internalHook: ({ hook, event }) => this.#tellInternal(hook, looseOf(event)),
    route: (asks, signal, progress) => {
      const route = this.#registry.routes[asks.route];
      if (!route) throw new Error("the route is gone");
      return answerRequest(asks, route.handler as unknown as AnyHandler, progress, signal);
    },
    method: ({ name, params, client }) => this.#callMethod(name, params, client),
    command: ({ name, context }) => {
      const command = this.#registry.commands.get(name);
      return call(command?.handler, { ...looseOf(context), config: this.#config });
    },
    cli: async ({ argv }) => {
      const { runCli } = await import("./api/run-cli.ts");
      const workspaceDir = this.#order?.workspaceDir ?? "";
      return runCli(argv, { registry: this.#registry, logger: this.#logger, workspaceDir, config: () => this.#config });
    },
    serviceStart: ({ id }) => this.#service(id, "start"),
    serviceStop: ({ id }) => this.#service(id, "stop"),
  };

  /** What a handler did to the event goes back: texts for the person, and files. */
  async #tellInternal(hook: number, { timestamp, ...event }: Loose): Promise<unknown> {
    const told = { messages: [] as unknown[], ...event, timestamp: new Date(Number(timestamp)) };
    await call(this.#registry.internalHooks[hook]?.handler, told);
    return { messages: told.messages, context: looseOf(told)["context"] };
  }

  async #callMethod(name: string, params: unknown, client: unknown): Promise<unknown> {
    const handler = this.#registry.methods.get(name) as AnyHandler | undefined;
    if (!handler) throw new Error(`the method ${name} is gone`);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const respond = (ok: boolean, payload?: unknown, error?: unknown): void => resolve({ ok, payload, error });
    const req = { type: "req", id: "plugin", method: name, params };
    const returned = await handler({ req, params, client, respond, isWebchatConnect: () => false, context: {} });
    // Some return what they mean to respond.
    if (returned !== undefined) respond(true, returned);
    return promise;
  }

  async #service(id: string, act: "start" | "stop"): Promise<void> {
    const service = this.#registry.services.get(id);
    const work = service?.[act] as AnyHandler | undefined;
    const order = this.#order;
    if (!order) return;
    const { workspaceDir, dataDir: stateDir } = order;
    await work?.call(service, { config: this.#config, workspaceDir, stateDir, logger: this.#logger });
  }

  async #stop(): Promise<void> {
    for (const end of this.#running.values()) end.abort();
    for (const id of this.#registry.services.keys())
      await this.#service(id, "stop").catch((error: unknown) =>
        this.#logger.warn(`the service ${id} did not stop`, error),
      );
    this.#ended();
  }
}

interface PluginModule {
  readonly about: Registry["about"];
  readonly register?: AnyHandler;
}

/** A function, an object with `register` or `activate`, or either of them as a default of a default. */
function pluginIn(loaded: unknown): PluginModule {
  let found = loaded;
  for (let depth = 0; depth < 3; depth += 1) {
    if (typeof found === "function") return { about: {}, register: found as AnyHandler };
    const value = looseOf(found);
    const register = value["register"] ?? value["activate"];
    if (typeof register === "function") {
      return { about: aboutOf(value), register: (...args) => (register as AnyHandler).apply(value, args) };
    }
    if (!("default" in value)) break;
    found = value["default"];
  }
  throw new TypeError("its module exports neither a function nor an object with register(api)");
}

function aboutOf({ name, description, version }: Loose): Registry["about"] {
  return {
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof version === "string" ? { version } : {}),
  };
}

async function call(handler: unknown, ...args: unknown[]): Promise<unknown> {
  if (typeof handler !== "function") throw new Error("what was registered is gone");
  return (handler as AnyHandler)(...args);
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 4_000);
}

/** With where it happened, for the log. */
function describe(error: unknown): string {
  if (error instanceof Error) return (error.stack ?? error.message).slice(0, 4_000);
  if (typeof error === "string") return error;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return String(error);
  }
}
