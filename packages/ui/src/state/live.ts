// A value that tells when it changes, and the controller that makes an element show it.
import type { ReactiveController, ReactiveControllerHost } from "lit";

export interface Readable<T> {
  readonly value: T;
  /** Tells of every change until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export class Live<T> implements Readable<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Renders its element anew when a value changes, while the element is on the page. */
export class Watching implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #sources: ReadonlyArray<Readable<unknown>> = [];
  #stops: Array<() => void> = [];
  #isConnected = false;

  constructor(host: ReactiveControllerHost, ...sources: ReadonlyArray<Readable<unknown>>) {
    this.#host = host;
    this.#sources = sources;
    host.addController(this);
  }

  /** Watches these from now on, and no others. */
  show(...sources: ReadonlyArray<Readable<unknown>>): void {
    if (sources.length === this.#sources.length && sources.every((one, at) => one === this.#sources[at])) return;
    this.#stop();
    this.#sources = sources;
    if (this.#isConnected) this.#start();
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.#start();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    this.#stop();
  }

  #start(): void {
    const update = (): void => this.#host.requestUpdate();
    this.#stops = this.#sources.map((source) => source.subscribe(update));
    this.#host.requestUpdate();
  }

  #stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }
}
