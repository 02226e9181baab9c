// The gateway's end of the memory keeper: starts it when something is asked, asks again if it fell, lets it go when idle.
import { defined } from "@chela/sdk/base";
import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire, getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { GatewayError, type Clock, type Logger } from "@chela/sdk";
import { safeSearchPath } from "@chela/sdk/files";
import type { FromKeeper, IndexSettings, KeeperCall, KeeperCalls, Progress, ToKeeper } from "@chela/memory";

export interface KeeperProcessParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** How an agent's memory is kept now. */
  settings(agentId: string): IndexSettings;
  /** Vectors of a remote model; throws GatewayError. */
  embed(agentId: string, texts: readonly string[], purpose: "query" | "document"): Promise<readonly Float32Array[]>;
  progressed(agentId: string, progress: Progress): void;
}

interface Waiting {
  readonly name: KeeperCall;
  readonly resolve: (gives: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Running {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
  /** Texts of the settings each agent was configured with. */
  readonly configured: Map<string, Promise<string>>;
  /** Agents for whom it works behind, without being asked. */
  readonly busyAgents: Set<string>;
  readonly ready: Promise<void>;
}

/** A keeper that nobody asks and that has nothing left to do is gone within a minute; its model takes a moment to load. */
const IDLE_MS = 50_000;
/** One that was only told what was said, and has loaded none. */
const IDLE_AFTER_LEARNING_MS = 20_000;
const LEARNING: ReadonlySet<KeeperCall> = new Set<KeeperCall>(["feed", "feedMark", "block", "status", "leaveOut"]);
const READY_MS = 30_000;
const CLOSE_MS = 5_000;
/** Falls one after another; then the next who asks is told, until a while has passed. */
const MOST_FALLS = 3;
const REST_MS = 30_000;

/** Most of the time it reads a few sentences; its model has memory of its own. */
const FRUGAL_FLAGS = ["--max-semi-space-size=1", "--optimize-for-size", "--no-maglev"];

/** It needs to find programs and folders of the user, and nothing else. */
const PASSED = ["HOME", "TMPDIR", "LANG", "TZ"];

export class KeeperProcess {
  readonly #parts: KeeperProcessParts;
  #running: Running | undefined;
  #lastId = 0;
  #falls = 0;
  #fellAt = -Infinity;
  #cancelIdle: (() => void) | undefined;
  /** The one before, which still puts its files away. */
  #leaving: Promise<void> | undefined;
  #isClosed = false;
  #hasOnlyLearned = true;

  constructor(parts: KeeperProcessParts) {
    this.#parts = parts;
  }

  /** Throws GatewayError. What a fallen keeper did not answer is asked once more: all it does can be done twice. */
  async ask<C extends Exclude<KeeperCall, "configure" | "release" | "close">>(
    name: C,
    asks: KeeperCalls[C]["asks"] & { readonly agentId: string },
  ): Promise<KeeperCalls[C]["gives"]> {
    for (let attempt = 0; ; attempt += 1) {
      const running = this.#start();
      this.#hasOnlyLearned &&= LEARNING.has(name);
      try {
        await this.#configure(running, asks.agentId);
        return (await this.#send(running, name, asks)) as KeeperCalls[C]["gives"];
      } catch (error) {
        if (!(error instanceof KeeperFell) || attempt > 0) throw toUnavailable(error);
      } finally {
        this.#planIdle();
      }
    }
  }

  /** What the configuration says may be another thing now; agents that are not in it any more have nothing open. */
  async reconfigure(isThere: (agentId: string) => boolean): Promise<void> {
    const running = this.#running;
    const known = [...(running?.configured.keys() ?? [])];
    await Promise.allSettled(
      known.map((id) => (running && isThere(id) ? this.#configure(running, id) : this.release(id))),
    );
  }

  /** The file of an agent that is gone is closed. */
  async release(agentId: string): Promise<void> {
    const running = this.#running;
    if (!running?.configured.delete(agentId)) return;
    // A keeper that fell has no file open.
    await this.#send(running, "release", { agentId }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelIdle?.();
    await this.#letGo();
  }

  async #configure(running: Running, agentId: string): Promise<void> {
    const settings = this.#parts.settings(agentId);
    const text = JSON.stringify(settings);
    for (let known = running.configured.get(agentId); known;) {
      if ((await known.catch(() => "")) === text) return;
      // Somebody else may have told the keeper meanwhile.
      const now = running.configured.get(agentId);
      if (now === known) break;
      known = now;
    }
    const configuring = this.#send(running, "configure", settings).then(() => text);
    running.configured.set(agentId, configuring);
    try {
      await configuring;
    } catch (error) {
      if (running.configured.get(agentId) === configuring) running.configured.delete(agentId);
      throw error;
    }
  }

  async #send(running: Running, name: KeeperCall, asks: unknown): Promise<unknown> {
    await running.ready;
    // Whoever waited for something else first may find that it has ended meanwhile.
    if (this.#running !== running) throw new KeeperFell("it ended before it could be asked");
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    running.waiting.set(id, { name, resolve, reject });
    say(running.child, { kind: "call", id, name, asks });
    return promise;
  }

  #start(): Running {
    if (this.#isClosed) throw new GatewayError("MEMORY_UNAVAILABLE", "the gateway is stopping");
    if (this.#running) return this.#running;
    const { clock, log } = this.#parts;
    if (this.#falls >= MOST_FALLS && clock.steady() - this.#fellAt < REST_MS) {
      throw new GatewayError("MEMORY_UNAVAILABLE", `its process ended ${this.#falls} times in a row`);
    }
    const { file, conditions } = findProgram();
    const child = fork(file, [], {
      serialization: "advanced",
      execArgv: [...conditions, ...FRUGAL_FLAGS],
      env: environment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const ready = Promise.withResolvers<void>();
    const running: Running = {
      child,
      waiting: new Map(),
      configured: new Map(),
      busyAgents: new Set(),
      // Two keepers never have one file open.
      ready: Promise.all([ready.promise, this.#leaving]).then(() => {}),
    };
    running.ready.catch(() => {});
    const cancelReady = clock.after(READY_MS, () => child.kill("SIGKILL"));
    let complaint = "";
    child.stderr?.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(-2000)));
    child.on("message", (message) => {
      const told = message as FromKeeper;
      if (told.kind === "ready") {
        cancelReady();
        ready.resolve();
      } else this.#hear(running, told);
    });
    const ended = (why: string): void => {
      cancelReady();
      if (this.#running === running) this.#running = undefined;
      const fell = new KeeperFell(why);
      ready.reject(fell);
      const isBusy = running.waiting.size > 0 || running.busyAgents.size > 0;
      for (const { reject } of running.waiting.values()) reject(fell);
      running.waiting.clear();
      if (this.#isClosed || !isBusy) return;
      this.#falls = clock.steady() - this.#fellAt < REST_MS ? this.#falls + 1 : 1;
      this.#fellAt = clock.steady();
      log.warn("the memory keeper ended while it was needed", { why, complaint: complaint.trim().slice(-500) });
    };
    child.on("error", (error) => ended(error.message));
    child.on("exit", (code, signal) => ended(signal ? `it was ended by ${signal}` : `it ended with code ${code}`));
    // An idle keeper ends when its channel does; it never keeps the gateway from ending.
    child.unref();
    child.channel?.unref();
    (child.stderr as unknown as { unref?(): void } | null)?.unref?.();
    this.#running = running;
    return running;
  }

  #hear(running: Running, told: Exclude<FromKeeper, { kind: "ready" }>): void {
    switch (told.kind) {
      case "gave":
      case "failed": {
        const waiting = running.waiting.get(told.id);
        running.waiting.delete(told.id);
        if (told.kind === "gave") {
          this.#falls = 0;
          waiting?.resolve(told.gives);
        } else waiting?.reject(new GatewayError(told.code, told.detail));
        break;
      }
      case "progress":
        if (told.progress.done < told.progress.of) running.busyAgents.add(told.agentId);
        else running.busyAgents.delete(told.agentId);
        this.#planIdle();
        this.#parts.progressed(told.agentId, told.progress);
        break;
      case "log":
        this.#parts.log[told.level](told.message, { ...told.fields });
        break;
      case "embed":
        void this.#embed(running, told);
    }
  }

  async #embed(
    running: Running,
    { id, agentId, texts, purpose }: Extract<FromKeeper, { kind: "embed" }>,
  ): Promise<void> {
    try {
      const vectors = await this.#parts.embed(agentId, texts, purpose);
      say(running.child, { kind: "embedded", id, vectors });
    } catch (error) {
      const retryAfterMs = GatewayError.is(error) ? retryAfterOf(error) : undefined;
      const why = GatewayError.is(error) ? error.detail : String(error);
      say(running.child, { kind: "not-embedded", id, why, ...defined({ retryAfterMs }) });
    }
  }

  #planIdle(): void {
    this.#cancelIdle?.();
    const waitMs = this.#hasOnlyLearned ? IDLE_AFTER_LEARNING_MS : IDLE_MS;
    this.#cancelIdle = this.#parts.clock.after(waitMs, () => {
      const running = this.#running;
      if (!running) return;
      if (running.waiting.size > 0 || running.busyAgents.size > 0) return this.#planIdle();
      void this.#letGo();
    });
  }

  async #letGo(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    this.#hasOnlyLearned = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    running.child.once("exit", () => resolve());
    if (running.child.exitCode !== null || running.child.signalCode !== null) return;
    const cancel = this.#parts.clock.after(CLOSE_MS, () => running.child.kill("SIGKILL"));
    // Whatever it does is committed step by step: it may end at any of them.
    running.child.ref();
    say(running.child, { kind: "call", id: (this.#lastId += 1), name: "close", asks: {} });
    this.#leaving = promise;
    await promise;
    cancel();
    if (this.#leaving === promise) this.#leaving = undefined;
  }
}

class KeeperFell extends Error {}

function toUnavailable(error: unknown): unknown {
  return error instanceof KeeperFell ? new GatewayError("MEMORY_UNAVAILABLE", error.message) : error;
}

function retryAfterOf(error: GatewayError): number | undefined {
  const cause = error.cause as { readonly retryAfterMs?: unknown } | undefined;
  return typeof cause?.retryAfterMs === "number" ? cause.retryAfterMs : undefined;
}

/** A message to a process that just ended is nobody's loss: whoever waits hears of its end. */
function say(child: ChildProcess, message: ToKeeper): void {
  if (child.connected) child.send(message, () => {});
}

function environment(): NodeJS.ProcessEnv {
  const passed = PASSED.flatMap((key) => (process.env[key] ? [[key, process.env[key]] as const] : []));
  const compiled = getCompileCacheDir();
  return {
    ...Object.fromEntries(passed),
    PATH: safeSearchPath(process.env["PATH"] ?? ""),
    // It starts in half the time with what was compiled before, where the gateway does so, too.
    ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }),
  };
}

/** Beside this file when it is built, else the package's own. */
function findProgram(): { readonly file: string; readonly conditions: string[] } {
  const built = fileURLToPath(new URL("./memory-keeper.js", import.meta.url));
  if (existsSync(built)) return { file: built, conditions: [] };
  const source = createRequire(import.meta.url).resolve("@chela/memory/keeper");
  return { file: source, conditions: ["--conditions=chela-source"] };
}
