// Addresses of files in this browser's memory: given back when the element that shows them leaves the page.
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class BlobUrl implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #blob: Blob | undefined;
  #url: string | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get url(): string | undefined {
    return this.#url;
  }

  show(blob: Blob | undefined): void {
    if (blob === this.#blob && this.#url !== undefined) return;
    this.#forget();
    this.#blob = blob;
    if (blob) this.#url = URL.createObjectURL(blob);
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    if (this.#blob && this.#url === undefined) this.show(this.#blob);
  }

  hostDisconnected(): void {
    this.#forget();
  }

  #forget(): void {
    if (this.#url !== undefined) URL.revokeObjectURL(this.#url);
    this.#url = undefined;
  }
}

/** Hands a file to the browser's downloads. */
export function downloadBlob(blob: Blob, fileName: string): void {
  // As bytes: whatever it is, it is saved and not opened.
  const url = URL.createObjectURL(new Blob([blob], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The download has begun by then; giving the address back at once would end it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
