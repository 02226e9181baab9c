// Cache of answers of the gateway in view: asked once, shared, and asked again when they may be old.
import type { MethodName, MethodParams, MethodAnswer, Topic } from "@chela/sdk/protocol";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { WireFailure } from "../wire/failure.ts";
import type { Wire } from "../wire/wire.ts";
import { Live, type Readable } from "./live.ts";

export type CachedAnswer<T> =
  | { readonly kind: "waiting" }
  /** `isOld` while a newer answer is on its way. */
  | { readonly kind: "here"; readonly value: T; readonly isOld: boolean }
  /** `value` is what was known before. */
  | { readonly kind: "failed"; readonly error: Error; readonly value?: T };

export interface Question<M extends MethodName = MethodName> {
  readonly method: M;
  readonly params: MethodParams<M>;
  /** Which changes make the answer old. */
  readonly topics: readonly KeptTopic[];
}

/** What can become old: what the gateway tells of in one word, and what it tells of with events of their own. */
export type KeptTopic = Topic | "health" | "presence";

/** After the last one looked away an answer is kept this long, so that going back is instant. */
const KEEP_MS = 60_000;

class CacheEntry {
  readonly state = new Live<CachedAnswer<unknown>>({ kind: "waiting" });
  readonly question: Question;
  viewers = 0;
  forgetTimer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isAskedAgain = false;
  readonly #wire: Wire;

  constructor(question: Question, wire: Wire) {
    this.question = question;
    this.#wire = wire;
  }

  /** While one answer is awaited, any number of further wishes make one more question. */
  async ask(): Promise<void> {
    if (this.#wire.state.value.kind !== "open") return;
    if (this.#isAsking) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isAsking = true;
    const { value } = this.state;
    if (value.kind === "here") this.state.set({ ...value, isOld: true });
    try {
      const answer = await this.#wire.callAny(this.question.method, this.question.params);
      this.state.set({ kind: "here", value: answer, isOld: this.#isAskedAgain });
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isAsking = false;
    }
    if (!this.#isAskedAgain) return;
    this.#isAskedAgain = false;
    await this.ask();
  }

  #failed(error: unknown): void {
    // The connection's own state says so, and asks again when it is back.
    if (error instanceof WireFailure && error.code === "OFFLINE") return;
    const known = this.state.value;
    const value = known.kind === "waiting" ? undefined : known.value;
    const failed = { kind: "failed", error: error instanceof Error ? error : new Error(String(error)) } as const;
    this.state.set(value === undefined ? failed : { ...failed, value });
  }
}

export class Keep {
  readonly #wire: Wire;
  readonly #answers = new Map<string, CacheEntry>();

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.onResync(() => this.#askAgain(() => true));
    wire.on("changed", ({ topics }) => this.#changed(...topics));
    wire.on("exec.approval.requested", () => this.#changed("approvals"));
    wire.on("exec.approval.resolved", () => this.#changed("approvals"));
    wire.on("device.pair.requested", () => this.#changed("devices"));
    wire.on("device.pair.resolved", () => this.#changed("devices"));
    wire.on("health", () => this.#changed("health"));
    wire.on("presence", () => this.#changed("presence"));
  }

  /** Looks at an answer until the returned function is called. */
  look<M extends MethodName>(
    question: Question<M>,
  ): {
    readonly state: Readable<CachedAnswer<MethodAnswer<M>>>;
    readonly again: () => void;
    readonly stop: () => void;
  } {
    const name = `${question.method} ${JSON.stringify(question.params)}`;
    const answer = this.#answers.get(name) ?? new CacheEntry(question as unknown as Question, this.#wire);
    this.#answers.set(name, answer);
    clearTimeout(answer.forgetTimer);
    answer.viewers += 1;
    if (answer.viewers === 1) void answer.ask();
    const stop = (): void => {
      answer.viewers -= 1;
      if (answer.viewers > 0) return;
      answer.forgetTimer = setTimeout(() => this.#answers.delete(name), KEEP_MS);
    };
    const state = answer.state as unknown as Readable<CachedAnswer<MethodAnswer<M>>>;
    return { state, again: () => void answer.ask(), stop };
  }

  /** Lets go of answers nobody looks at: what somebody had forgotten must not be shown again while newer ones come. */
  drop(topic: KeptTopic): void {
    for (const [name, { viewers, question, forgetTimer }] of this.#answers) {
      if (viewers > 0 || !question.topics.includes(topic)) continue;
      clearTimeout(forgetTimer);
      this.#answers.delete(name);
    }
  }

  #changed(...topics: readonly KeptTopic[]): void {
    this.#askAgain((question) => question.topics.some((one) => topics.includes(one)));
  }

  #askAgain(isMeant: (question: Question) => boolean): void {
    for (const answer of this.#answers.values()) if (answer.viewers > 0 && isMeant(answer.question)) void answer.ask();
  }
}

/**
 * Shows an answer in an element while it is on the page. The question may depend on what the element shows; it is
 * looked at again before each rendering.
 */
export class Asking<M extends MethodName> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #keep: () => Keep;
  readonly #question: () => Question<M> | undefined;
  #name = "";
  #isConnected = false;
  #looking: { readonly state: Readable<CachedAnswer<MethodAnswer<M>>>; again(): void; stop(): void } | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(host: ReactiveControllerHost, keep: () => Keep, question: () => Question<M> | undefined) {
    this.#host = host;
    this.#keep = keep;
    this.#question = question;
    host.addController(this);
  }

  get state(): CachedAnswer<MethodAnswer<M>> {
    return this.#looking?.state.value ?? { kind: "waiting" };
  }

  /** The newest answer there is, if there is one. */
  get value(): MethodAnswer<M> | undefined {
    const { state } = this;
    return state.kind === "waiting" ? undefined : state.value;
  }

  again(): void {
    this.#looking?.again();
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    this.#leave();
  }

  hostUpdate(): void {
    if (!this.#isConnected) return;
    const question = this.#question();
    const name = question ? `${question.method} ${JSON.stringify(question.params)}` : "";
    if (name === this.#name) return;
    this.#leave();
    this.#name = name;
    if (!question) return;
    this.#looking = this.#keep().look(question);
    this.#unsubscribe = this.#looking.state.subscribe(() => this.#host.requestUpdate());
  }

  #leave(): void {
    this.#unsubscribe?.();
    this.#looking?.stop();
    this.#looking = undefined;
    this.#unsubscribe = undefined;
    this.#name = "";
  }
}
