// Runs in a calendar, kept fresh while it is looked at.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { CachedAnswer } from "../../../state/keep.ts";
import { WireFailure } from "../../../wire/failure.ts";
import type { Wire } from "../../../wire/wire.ts";
import { gather, type Gathered, type Stretch } from "./calendar-load.ts";

/** While a lot runs, it is gathered this often and not with every run. */
const PAUSE_MS = 1000;

export class CalendarRuns implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #wire: () => Wire;
  readonly #stretch: () => Stretch;
  #state: CachedAnswer<Gathered> = { kind: "waiting" };
  #name = "";
  /** Counts questions; answers to earlier ones are thrown away. */
  #question = 0;
  #stops: Array<() => void> = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost, wire: () => Wire, stretch: () => Stretch) {
    this.#host = host;
    this.#wire = wire;
    this.#stretch = stretch;
    host.addController(this);
  }

  get state(): CachedAnswer<Gathered> {
    return this.#state;
  }

  again(): void {
    void this.#ask();
  }

  hostConnected(): void {
    const wire = this.#wire();
    this.#stops = [
      wire.on("changed", ({ topics }) => {
        if (topics.includes("jobs") || topics.includes("errands")) this.#askSoon();
      }),
      wire.onResync(() => void this.#ask()),
    ];
  }

  hostDisconnected(): void {
    for (const stop of this.#stops) stop();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#name = "";
  }

  hostUpdate(): void {
    const { from, to } = this.#stretch();
    const name = `${from} ${to}`;
    if (name === this.#name) return;
    this.#name = name;
    this.#state = { kind: "waiting" };
    void this.#ask();
  }

  #askSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#ask();
    }, PAUSE_MS);
  }

  async #ask(): Promise<void> {
    const question = ++this.#question;
    const wire = this.#wire();
    try {
      const value = await gather((method, params) => wire.call(method, params), this.#stretch(), Date.now());
      if (question !== this.#question) return;
      this.#state = { kind: "here", value, isOld: false };
    } catch (error) {
      // The lost connection is told elsewhere, and it is asked again when it is back.
      if (question !== this.#question || (error instanceof WireFailure && error.code === "OFFLINE")) return;
      this.#state = { kind: "failed", error: error instanceof Error ? error : new Error(String(error)) };
    }
    this.#host.requestUpdate();
  }
}
