// Hands texts to the threads that run the model: questions first, a second thread for long queues, none when nobody asks.
import { GatewayError, type Clock } from "@chela/sdk";
import type { KeeperLog } from "../keeper-log.ts";
import type { FromThread, ToThread } from "./thread-messages.ts";

/** A thread that runs the model, one text after the other. */
export interface Thread {
  give(job: ToThread): void;
  /** Whether the process stays alive for it. */
  hold(isNeeded: boolean): void;
  end(): Promise<unknown>;
}

export interface ThreadEvents {
  heard(message: FromThread): void;
  /** However it ended; `why` where that is known. */
  ended(why: unknown): void;
}

export interface ModelThreadsParts {
  readonly clock: Clock;
  readonly log: KeeperLog;
  readonly mostThreads: number;
  start(events: ThreadEvents): Thread;
}

interface Job {
  readonly id: number;
  readonly text: string;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

interface Member {
  readonly thread: Thread;
  readonly startedAt: number;
  isReady: boolean;
  job: Job | undefined;
}

/** Without work for so long, the model leaves the memory. */
const IDLE_MS = 60_000;
/** Waiting texts that are worth loading the model a second time. */
const LONG_QUEUE = 16;

export class ModelThreads {
  readonly #parts: ModelThreadsParts;
  readonly #members = new Set<Member>();
  #queue: Job[] = [];
  #lastId = 0;
  /** Threads that ended by themselves since the last vector. */
  #falls = 0;
  #cancelIdle: (() => void) | undefined;

  constructor(parts: ModelThreadsParts) {
    this.#parts = parts;
  }

  /** Rejects with MEMORY_EMBEDDING, or with the signal's reason when stopped. */
  async embed(texts: readonly string[], isUrgent: boolean, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    const jobs: Job[] = [];
    const vectors = texts.map(
      (text) =>
        new Promise<Float32Array>((resolve, reject) => jobs.push({ id: ++this.#lastId, text, resolve, reject })),
    );
    const forget = (): void => this.#forget(jobs, signal?.reason);
    signal?.addEventListener("abort", forget, { once: true });
    this.#queue = isUrgent ? [...jobs, ...this.#queue] : [...this.#queue, ...jobs];
    this.#assign();
    try {
      return await Promise.all(vectors);
    } catch (error) {
      this.#forget(jobs, error);
      throw error;
    } finally {
      signal?.removeEventListener("abort", forget);
    }
  }

  /** Ends all threads; what still waits for them gets new ones. */
  async unload(): Promise<void> {
    this.#cancelIdle?.();
    const members = [...this.#members];
    this.#members.clear();
    const unfinished = members.flatMap(({ job }) => (job ? [job] : []));
    this.#queue = [...unfinished, ...this.#queue];
    await Promise.all(members.map(({ thread }) => thread.end()));
    this.#assign();
  }

  /** What a thread is at work on is finished for nobody. */
  #forget(jobs: readonly Job[], why: unknown): void {
    this.#queue = this.#queue.filter((job) => !jobs.includes(job));
    for (const job of jobs) job.reject(why);
  }

  #assign(): void {
    if (this.#queue.length > 0) this.#hire();
    for (const member of this.#members) {
      if (!member.isReady || member.job) continue;
      member.job = this.#queue.shift();
      if (member.job) member.thread.give({ id: member.job.id, text: member.job.text });
    }
    const isIdle = this.#queue.length === 0 && [...this.#members].every(({ job }) => job === undefined);
    for (const { thread } of this.#members) thread.hold(!isIdle);
    this.#planIdle(isIdle);
  }

  #hire(): void {
    const wanted = this.#queue.length >= LONG_QUEUE ? this.#parts.mostThreads : 1;
    while (this.#members.size < wanted) {
      const member: Member = {
        thread: this.#parts.start({
          heard: (message) => this.#hear(member, message),
          ended: (why) => this.#lose(member, why),
        }),
        startedAt: this.#parts.clock.now(),
        isReady: false,
        job: undefined,
      };
      this.#members.add(member);
    }
  }

  #hear(member: Member, message: FromThread): void {
    if (!this.#members.has(member)) return;
    if (message.kind === "ready") {
      member.isReady = true;
      this.#tellReady(member, message);
    } else {
      const { job } = member;
      member.job = undefined;
      if (message.kind === "embedded") this.#falls = 0;
      if (message.kind === "embedded") job?.resolve(message.vector);
      else job?.reject(new GatewayError("MEMORY_EMBEDDING", "the model failed on a text", { cause: message.why }));
    }
    this.#assign();
  }

  #tellReady({ startedAt }: Member, { runtime, nativeFailure }: FromThread & { kind: "ready" }): void {
    const { clock, log } = this.#parts;
    log("info", "The embedding model is loaded", { runtime, ms: clock.now() - startedAt });
    if (nativeFailure !== undefined) {
      log("warn", "onnxruntime-node is installed but cannot be used; the slower runtime is", { why: nativeFailure });
    }
  }

  /** A thread that ends by itself is replaced once; what it was at work on is the first to be tried again. */
  #lose(member: Member, why: unknown): void {
    if (!this.#members.delete(member)) return;
    this.#falls += 1;
    this.#parts.log("warn", "The thread of the embedding model ended", { why: String(why), times: this.#falls });
    if (member.job) this.#queue.unshift(member.job);
    if (this.#falls > 1) {
      this.#falls = 0;
      const error = new GatewayError("MEMORY_EMBEDDING", "the model on this machine cannot be run", { cause: why });
      this.#forget([...this.#queue], error);
    }
    this.#assign();
  }

  #planIdle(isIdle: boolean): void {
    this.#cancelIdle?.();
    this.#cancelIdle =
      isIdle && this.#members.size > 0 ? this.#parts.clock.after(IDLE_MS, () => void this.unload()) : undefined;
  }
}
