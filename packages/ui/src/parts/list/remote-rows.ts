// A long list of the gateway in an element: it follows what changes there, while the element is on the page.
import type { Topic } from "@chela/sdk/protocol";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { WireFailure } from "../../wire/failure.ts";
import type { Wire } from "../../wire/wire.ts";
import { RowWindows, type FetchRows } from "./row-windows.ts";

interface RemoteList<Row> {
  /** Another name is another list. */
  readonly name: string;
  readonly fetch: FetchRows<Row>;
}

/** While a lot happens, the list is fetched this often and not with every word. */
const PAUSE_MS = 1000;

export class RemoteRows<Row> implements ReactiveController {
  readonly windows: RowWindows<Row>;
  readonly #wire: () => Wire;
  readonly #topic: Topic;
  readonly #list: () => RemoteList<Row>;
  #name: string | undefined;
  #stops: Array<() => void> = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWaiting = false;

  constructor(host: ReactiveControllerHost, parts: { wire(): Wire; readonly topic: Topic; list(): RemoteList<Row> }) {
    this.windows = new RowWindows(() => host.requestUpdate());
    this.#wire = parts.wire;
    this.#topic = parts.topic;
    this.#list = parts.list;
    host.addController(this);
  }

  /** A lost connection is told elsewhere, and mends itself. */
  get failure(): Error | undefined {
    const { failure } = this.windows;
    return failure instanceof WireFailure && failure.code === "OFFLINE" ? undefined : failure;
  }

  hostConnected(): void {
    const wire = this.#wire();
    this.#stops = [
      wire.on("changed", ({ topics }) => topics.includes(this.#topic) && this.#refreshSoon()),
      wire.onResync(() => this.windows.refresh()),
    ];
  }

  hostDisconnected(): void {
    for (const stop of this.#stops) stop();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWaiting = false;
  }

  hostUpdate(): void {
    const { name, fetch } = this.#list();
    if (name === this.#name) return;
    this.#name = name;
    this.windows.ask(fetch);
  }

  #refreshSoon(): void {
    if (this.#timer !== undefined) {
      this.#isWaiting = true;
      return;
    }
    this.windows.refresh();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isWaiting) return;
      this.#isWaiting = false;
      this.#refreshSoon();
    }, PAUSE_MS);
  }
}
