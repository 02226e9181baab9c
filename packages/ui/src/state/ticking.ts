// Renders an element anew every so often while it is on the page, for times that are shown as they pass.
import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Give it to `addController`. */
export class Ticking implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #everyMs: number;
  readonly #isNeeded: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: ReactiveControllerHost, everyMs: number, isNeeded: () => boolean = () => true) {
    this.#host = host;
    this.#everyMs = everyMs;
    this.#isNeeded = isNeeded;
  }

  hostConnected(): void {
    this.#timer = setInterval(() => {
      if (document.visibilityState === "visible" && this.#isNeeded()) this.#host.requestUpdate();
    }, this.#everyMs);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
  }
}
