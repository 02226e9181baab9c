// Files dropped anywhere in the window: taken, instead of the browser leaving the page to show them.
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class DroppedFiles implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #take: (files: readonly File[]) => void;
  #isOver = false;
  #stop: AbortController | undefined;

  constructor(host: ReactiveControllerHost, take: (files: readonly File[]) => void) {
    this.#host = host;
    this.#take = take;
    host.addController(this);
  }

  /** Whether files are being held over the window. */
  get isOver(): boolean {
    return this.#isOver;
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const options = { signal };
    document.addEventListener("dragenter", (event) => this.#moved(event), options);
    document.addEventListener("dragover", (event) => this.#moved(event), options);
    document.addEventListener("dragleave", (event) => event.relatedTarget === null && this.#show(false), options);
    document.addEventListener("drop", (event) => this.#dropped(event), options);
  }

  hostDisconnected(): void {
    this.#stop?.abort();
    this.#isOver = false;
  }

  #moved(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    this.#show(true);
  }

  #dropped(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    this.#show(false);
    this.#take([...(event.dataTransfer?.files ?? [])]);
  }

  #show(isOver: boolean): void {
    if (isOver === this.#isOver) return;
    this.#isOver = isOver;
    this.#host.requestUpdate();
  }
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}
