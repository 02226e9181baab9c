// The process of one plugin: started with the first call, asked, told to stop, and never left behind.
import { spawn, type ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import { GatewayError, type Clock, type Logger } from "@chela/sdk";
import {
  lineLink,
  type Catalogue,
  type FromPlugin,
  type Link,
  type PluginCalls,
  type StartOrder,
  type ToPlugin,
} from "@chela/plugin-host";
import { Told } from "@chela/plugin-host/told";
import { signalTree } from "../../../base/process-tree.ts";
import type { Launch, Walls } from "./walls.ts";

export type LaunchPlan =
  | { readonly kind: "child"; readonly launch: Launch; readonly order: StartOrder }
  /** In this very process, without walls. */
  | { readonly kind: "trusted"; readonly order: StartOrder; readonly walls: Walls };

export interface PluginProcessParts {
  readonly id: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Looks at its files and its grant, and says how it is started. Throws GatewayError where it may not be. */
  plan(): Promise<LaunchPlan>;
  /** In the gateway's own process; loaded when somebody is trusted that far. */
  openTrusted(): Promise<Link<ToPlugin, unknown>>;
  /** What it registered: when it has begun, and whenever that is more. */
  registered(catalogue: Catalogue, hasBegun: boolean): void;
  /** It could not be loaded: it is not tried again until its files or its settings are others. */
  notLoaded(why: string): void;
  /** It fell too often. */
  gaveUp(why: string): void;
  /** It asks for something; what is thrown is the reason it is told. */
  asked(name: string, asks: unknown): Promise<unknown>;
  /** It is there, or gone. */
  changed(): void;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly mostMs?: number | undefined;
  progress?(data: unknown): void;
}

interface Waiting {
  readonly resolve: (gives: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly progress: ((data: unknown) => void) | undefined;
}

interface Running {
  readonly link: Link<ToPlugin, unknown>;
  readonly child: ChildProcess | undefined;
  readonly walls: Walls;
  readonly waiting: Map<number, Waiting>;
  readonly startedAt: number;
  readonly exited: Promise<void>;
  kill(): void;
}

/** Reading and compiling a large plugin takes a moment; longer than this nobody waits for one. */
const START_MS = 30_000;
const CLOSE_MS = 3_000;
const HANG_UP_MS = 500;
/** Nobody asked it for so long. */
const IDLE_MS = 600_000;
const MOST_FALLS = 3;
/** Falls that lie further apart have nothing to do with each other. */
const FORGET_MS = 600_000;
const FIRST_REST_MS = 1_000;
const MOST_WAITING = 1_000;
const MOST_SAID = 2_000;

export class PluginProcess {
  readonly #parts: PluginProcessParts;
  #starting: Promise<Running> | undefined;
  #running: Running | undefined;
  #lastId = 0;
  #falls = 0;
  #fellAt = -Infinity;
  #lastFall: string | undefined;
  #isKept = false;
  #isClosed = false;
  #cancelIdle: (() => void) | undefined;
  #walls: Walls | undefined;

  constructor(parts: PluginProcessParts) {
    this.#parts = parts;
  }

  /** How it is now, for people. */
  get status(): {
    readonly isRunning: boolean;
    readonly pid: number | undefined;
    readonly walls: Walls | undefined;
    readonly falls: number;
    readonly lastFall: string | undefined;
  } {
    const running = this.#running;
    return {
      isRunning: running !== undefined,
      pid: running?.child?.pid,
      walls: this.#walls,
      falls: this.#falls,
      lastFall: this.#lastFall,
    };
  }

  /** From now on it is there as long as the gateway. */
  async keep(): Promise<void> {
    this.#isKept = true;
    this.#cancelIdle?.();
    await this.#ready();
  }

  async start(): Promise<void> {
    await this.#ready();
    this.#planIdle();
  }

  /** Rejects with a GatewayError. A call that is stopped is told so, and not waited for. */
  async call<Name extends keyof PluginCalls>(
    name: Name,
    asks: PluginCalls[Name],
    options: CallOptions = {},
  ): Promise<unknown> {
    const running = await this.#ready();
    if (running.waiting.size >= MOST_WAITING)
      throw new GatewayError("PLUGIN_LATE", `${this.#parts.id} has ${MOST_WAITING} calls to answer already`);
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    running.waiting.set(id, { resolve, reject, progress: options.progress });
    const { signal, mostMs } = options;
    const giveUp = (error: Error): void => {
      if (!running.waiting.delete(id)) return;
      running.link.send({ kind: "cancel", id });
      reject(error);
    };
    const stopped = (): void => giveUp(new GatewayError("PLUGIN_LATE", `${this.#parts.id} was told to stop`));
    const late = (): void => giveUp(new GatewayError("PLUGIN_LATE", `${this.#parts.id} had ${mostMs} ms for it`));
    const cancelLate = mostMs === undefined ? undefined : this.#parts.clock.after(mostMs, late);
    signal?.addEventListener("abort", stopped, { once: true });
    running.link.send({ kind: "call", id, name, asks } as ToPlugin);
    if (signal?.aborted) stopped();
    try {
      return await promise;
    } finally {
      cancelLate?.();
      signal?.removeEventListener("abort", stopped);
      this.#planIdle();
    }
  }

  configure(config: unknown, pluginConfig: unknown): void {
    this.#running?.link.send({ kind: "configured", config, pluginConfig });
  }

  /** It may be started again afterwards; nothing that fell before is remembered. */
  async stop(): Promise<void> {
    this.#isKept = false;
    this.#falls = 0;
    this.#cancelIdle?.();
    await this.#starting?.catch(() => {});
    await this.#letGo();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  #ready(): Promise<Running> {
    if (this.#isClosed) return Promise.reject(new GatewayError("PLUGIN_NOT_RUNNING", "the gateway is stopping"));
    if (this.#running) return Promise.resolve(this.#running);
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #start(): Promise<Running> {
    const { clock, id } = this.#parts;
    const restMs = this.#falls === 0 ? 0 : FIRST_REST_MS * 2 ** (this.#falls - 1) - (clock.steady() - this.#fellAt);
    if (restMs > 0) {
      const seconds = Math.ceil(restMs / 1_000);
      throw new GatewayError(
        "PLUGIN_NOT_RUNNING",
        `${id} fell a moment ago (${this.#lastFall}); it is tried again in ${seconds} s`,
      );
    }
    const plan = await this.#parts.plan();
    const running = plan.kind === "child" ? this.#spawn(plan.launch) : await this.#openTrusted(plan.walls);
    try {
      const catalogue = await this.#load(running, plan.order);
      this.#running = running;
      this.#walls = running.walls;
      this.#parts.registered(catalogue, true);
      this.#parts.changed();
      return running;
    } catch (error) {
      running.kill();
      await running.exited;
      throw error;
    }
  }

  /** Until it says what it registered. Whatever it does instead is told as the reason why it is broken. */
  #load(running: Running, order: StartOrder): Promise<Catalogue> {
    const { clock, id } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<Catalogue>();
    let isBroken = false;
    // The first reason is the one; that its process ends then is what follows from it.
    const broken = (why: string): void => {
      if (isBroken) return;
      isBroken = true;
      this.#parts.notLoaded(why);
      reject(new GatewayError("PLUGIN_NOT_RUNNING", `${id}: ${why}`));
    };
    const seconds = START_MS / 1_000;
    const cancel = clock.after(START_MS, () =>
      broken(`It was not loaded after ${seconds} seconds; its module may never end.`),
    );
    let isLoaded = false;
    running.link.onMessage((message) => {
      const told = this.#read(running, message);
      if (!told) return;
      if (told.kind === "ready" && !isLoaded) {
        isLoaded = true;
        resolve(told.catalogue);
      } else if (told.kind === "not-loaded" && !isLoaded) broken(`Its module failed at ${told.stage}: ${told.why}`);
      else this.#hear(running, told);
    });
    running.link.onClose((why) => {
      this.#ended(running, why);
      // Why it ended is known when it has.
      void running.exited.then(() => {
        if (!isLoaded && !this.#isClosed) broken(`Its process ended while it was loaded: ${this.#lastFall ?? why}`);
        reject(new GatewayError("PLUGIN_NOT_RUNNING", `${id}: ${this.#lastFall ?? why}`));
      });
    });
    running.link.send({ kind: "start", order });
    return promise.finally(cancel);
  }

  /** What nobody can read is no message of ours: whoever says it is not listened to any more. */
  #read(running: Running, message: unknown): FromPlugin | undefined {
    const told = Told().safeParse(message);
    if (told.success) return told.data;
    this.#lastFall = `it said something that cannot be read (${told.error.issues[0]?.path.join(".") ?? ""})`;
    running.kill();
    return undefined;
  }

  #hear(running: Running, told: FromPlugin): void {
    switch (told.kind) {
      case "gave": {
        const waiting = running.waiting.get(told.id);
        running.waiting.delete(told.id);
        return waiting?.resolve(told.gives);
      }
      case "failed": {
        const waiting = running.waiting.get(told.id);
        running.waiting.delete(told.id);
        return waiting?.reject(new GatewayError("PLUGIN_FAILED", told.why));
      }
      case "progress":
        return running.waiting.get(told.id)?.progress?.(told.data);
      case "registered":
        return this.#parts.registered(told.catalogue, false);
      case "log":
        return this.#parts.log[told.level](told.message.slice(0, MOST_SAID), {});
      case "ask":
        return void this.#answer(running, told);
      case "ready":
      case "not-loaded":
        return undefined;
    }
  }

  async #answer(running: Running, { id, name, asks }: Extract<FromPlugin, { kind: "ask" }>): Promise<void> {
    try {
      const gives = await this.#parts.asked(name, asks);
      running.link.send({ kind: "answer", id, gives: gives ?? null });
    } catch (error) {
      const why = GatewayError.is(error) ? error.message : "something happened inside the gateway; its log tells what";
      if (!GatewayError.is(error)) this.#parts.log.error("a plugin's question failed", { name, error: String(error) });
      running.link.send({ kind: "refused", id, why });
    }
  }

  #spawn({ file, args, env, filter, walls, close }: Launch): Running {
    const child = spawn(file, args, {
      stdio: ["ignore", "pipe", "pipe", "pipe", filter ? "pipe" : "ignore"],
      env: { ...env },
      cwd: "/",
      // The head of a group, so that it goes with everything it started.
      detached: true,
    });
    const gone = Promise.withResolvers<void>();
    const kill = (): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        signalTree([child.pid], "SIGKILL");
    };
    let complaint = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(-MOST_SAID)));
    }
    child.stdout?.on("data", (chunk: Buffer) =>
      this.#parts.log.debug(chunk.toString("utf8").trim().slice(0, MOST_SAID), {}),
    );
    const pipe = child.stdio[4] as Duplex | null | undefined;
    pipe?.on("error", () => {});
    if (filter) pipe?.end(filter);
    const link = lineLink<ToPlugin, unknown>(child.stdio[3] as Duplex);
    const ended = (why: string): void => {
      this.#lastFall = complaint.trim() === "" ? why : `${why}; it said: ${lastLines(complaint)}`;
      // What it started does not outlive it.
      if (child.pid !== undefined) signalGroup(child.pid);
      link.close();
      void close();
      gone.resolve();
    };
    child.on("error", (error) => ended(error.message));
    child.on("exit", (code, signal) => ended(signal ? `it was ended by ${signal}` : `it ended with code ${code}`));
    // Who hangs up is about to end, and says how; longer it is not waited for.
    link.onClose(() => void gone.promise.then(this.#parts.clock.after(HANG_UP_MS, kill)));
    // It never keeps the gateway from ending, and ends with it.
    child.unref();
    for (const stream of child.stdio) (stream as unknown as { unref?(): void } | null)?.unref?.();
    return {
      link,
      child,
      walls,
      waiting: new Map(),
      startedAt: this.#parts.clock.steady(),
      exited: gone.promise,
      kill,
    };
  }

  async #openTrusted(walls: Walls): Promise<Running> {
    const link = await this.#parts.openTrusted();
    const gone = Promise.withResolvers<void>();
    link.onClose(() => gone.resolve());
    const kill = (): void => link.close();
    return {
      link,
      child: undefined,
      walls,
      waiting: new Map(),
      startedAt: this.#parts.clock.steady(),
      exited: gone.promise,
      kill,
    };
  }

  #ended(running: Running, why: string): void {
    const wasRunning = this.#running === running;
    if (wasRunning) this.#running = undefined;
    void running.exited.then(() => {
      const reason = this.#lastFall ?? why;
      for (const { reject } of running.waiting.values())
        reject(new GatewayError("PLUGIN_FELL", `${this.#parts.id}: ${reason}`));
      running.waiting.clear();
      if (!wasRunning || this.#isClosed) return;
      this.#noteFall(reason);
    });
  }

  #noteFall(reason: string): void {
    const { clock, log, id } = this.#parts;
    this.#falls = clock.steady() - this.#fellAt < FORGET_MS ? this.#falls + 1 : 1;
    this.#fellAt = clock.steady();
    log.warn("a plugin's process ended by itself", { plugin: id, why: reason, falls: this.#falls });
    this.#parts.changed();
    if (this.#falls >= MOST_FALLS)
      return this.#parts.gaveUp(`Its process ended by itself ${this.#falls} times: ${reason}`);
    // What has to be there always is started again when its rest is over.
    if (this.#isKept) clock.after(FIRST_REST_MS * 2 ** (this.#falls - 1) + 1, () => void this.#ready().catch(() => {}));
  }

  #planIdle(): void {
    this.#cancelIdle?.();
    if (this.#isKept || !this.#running) return;
    this.#cancelIdle = this.#parts.clock.after(IDLE_MS, () => {
      if (this.#running && this.#running.waiting.size > 0) return this.#planIdle();
      void this.#letGo();
    });
  }

  async #letGo(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    // Whoever waits for its end must not be left alone by an empty loop of events.
    running.child?.ref();
    running.link.send({ kind: "stop" });
    const cancel = this.#parts.clock.after(CLOSE_MS, () => running.kill());
    await running.exited;
    cancel();
    this.#parts.changed();
  }
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody was left.
  }
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-4).join(" ").slice(-500);
}
