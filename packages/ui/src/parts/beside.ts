// The details behind a button: a popover that opens beside it and stays there, however the screen changes.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { keepBeside, placePopover } from "./floating.ts";

/** The button is the first child of its element, the popover the last one. */
export class Beside implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  #stopKeeping: (() => void) | undefined;
  #isOpen = false;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  /** What is in it is drawn only while it can be seen. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  hide(): void {
    this.#popover.hidePopover();
  }

  /** For `@beforetoggle`. */
  readonly opens = (event: ToggleEvent): void => {
    if (event.newState !== "open") return;
    this.#become(true);
    this.#stopKeeping = keepBeside(this.#popover, this.#button);
  };

  /** For `@toggle`. */
  readonly toggled = (event: ToggleEvent): void => {
    if (event.newState === "open") this.#place();
    else this.#become(false);
  };

  hostUpdated(): void {
    if (this.#isOpen) this.#place();
  }

  hostDisconnected(): void {
    this.#stopKeeping?.();
  }

  #become(isOpen: boolean): void {
    this.#stopKeeping?.();
    this.#isOpen = isOpen;
    this.#host.requestUpdate();
  }

  #place(): void {
    placePopover(this.#popover, this.#button);
  }

  get #button(): HTMLElement {
    return this.#host.firstElementChild as HTMLElement;
  }

  get #popover(): HTMLElement {
    return this.#host.lastElementChild as HTMLElement;
  }
}
