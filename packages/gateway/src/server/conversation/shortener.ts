// Keeps what is shown of one message within bounds, and remembers whether something had to go.
import type { ShownBlock } from "@chela/sdk/protocol";

const MAX_DETAILS_BYTES = 64 * 1024;
/** Of all arguments of a call together, beside the bound of each text. */
const MOST_TEXTS = 4;
/** All pictures of one message together. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

export class Shortener {
  readonly #maxChars: number;
  #imageBytes = 0;
  wasNeeded = false;

  /** Infinity: nothing is shortened. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get #isWhole(): boolean {
    return this.#maxChars === Infinity;
  }

  text(text: string): string {
    if (text.length <= this.#maxChars) return text;
    this.wasNeeded = true;
    // Half a character at the end would be shown as a mark of damage.
    return text.slice(0, this.#maxChars).replace(/[\uD800-\uDBFF]$/, "");
  }

  /** What a tool was called with. */
  args(args: Record<string, unknown>): Record<string, unknown> {
    if (this.#isWhole) return args;
    const cut = Object.entries(args).map(([name, value]) => [
      name,
      typeof value === "string" ? this.text(value) : value,
    ]);
    const short = Object.fromEntries(cut) as Record<string, unknown>;
    if (JSON.stringify(short).length <= MOST_TEXTS * this.#maxChars) return short;
    this.wasNeeded = true;
    return {};
  }

  details(details: unknown): { details?: unknown } {
    if (details === undefined || details === null) return {};
    if (this.#isWhole || Buffer.byteLength(JSON.stringify(details)) <= MAX_DETAILS_BYTES) return { details };
    this.wasNeeded = true;
    return {};
  }

  image(data: string, mimeType: string): Extract<ShownBlock, { type: "image" }> {
    const bytes = Buffer.byteLength(data, "base64");
    this.#imageBytes += bytes;
    const isShown = this.#isWhole && this.#imageBytes <= MAX_IMAGE_BYTES;
    return { type: "image", mimeType, bytes, ...(isShown ? { data } : { omitted: true }) };
  }
}
