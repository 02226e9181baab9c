// Files that will go with the next message: made ready as they come, so that sending waits for nothing.
import { Live } from "../../../state/live.ts";
import { shrinkPicture } from "./shrink-picture.ts";
import type { SentFile } from "./unsent-messages.ts";

/** Written as base64 this still fits into one frame of the protocol, with the words. */
export const MOST_BYTES = 18_000_000;
export const MOST_FILES = 50;

export interface DraftFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** Of pictures and recordings. */
  readonly previewUrl?: string;
  /** Missing while it is being read. */
  readonly content?: string;
}

/** Why a file was not taken. */
export type Refusal =
  | { readonly kind: "too-large"; readonly name: string; readonly bytes: number; readonly isAlone: boolean }
  | { readonly kind: "too-many" }
  | { readonly kind: "unreadable"; readonly name: string };

export class DraftFiles {
  readonly all = new Live<readonly DraftFile[]>([]);
  /** Those being read, one after the other, so that each knows how much room is left. */
  #reading: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Whether one of them was refused. */
  #wasRefused = false;

  get isReading(): boolean {
    return this.#waiting > 0;
  }

  /** Waits for what is being read; true if all of it was taken. */
  async settled(): Promise<boolean> {
    while (this.isReading) await this.#reading;
    return !this.#wasRefused;
  }

  /** Adds what fits; says why something does not. */
  async add(files: readonly File[]): Promise<Refusal | undefined> {
    if (!this.isReading) this.#wasRefused = false;
    this.#waiting += files.length;
    const outcomes = files.map((file) => {
      const reading = this.#reading.then(() => this.#addOne(file)).then((refusal) => this.#added(refusal));
      this.#reading = reading;
      return reading;
    });
    return (await Promise.all(outcomes)).findLast((refusal) => refusal !== undefined);
  }

  remove(id: string): void {
    const file = this.all.value.find((one) => one.id === id);
    if (file?.previewUrl) URL.revokeObjectURL(file.previewUrl);
    this.all.set(this.all.value.filter((one) => one.id !== id));
  }

  /** Hands all of them out; they are no longer here. */
  take(): readonly SentFile[] {
    const sent = this.all.value.map(({ name, type, bytes, content = "", previewUrl }) => ({
      fileName: name,
      mimeType: type,
      bytes,
      content,
      ...(previewUrl ? { previewUrl } : {}),
    }));
    this.all.set([]);
    return sent;
  }

  #added(refusal: Refusal | undefined): Refusal | undefined {
    this.#waiting -= 1;
    if (refusal) this.#wasRefused = true;
    return refusal;
  }

  async #addOne(original: File): Promise<Refusal | undefined> {
    if (this.all.value.length >= MOST_FILES) return { kind: "too-many" };
    const id = crypto.randomUUID();
    const hasPreview = /^(?:image|audio)\//.test(original.type);
    const previewUrl = hasPreview ? { previewUrl: URL.createObjectURL(original) } : {};
    const { name, size: bytes } = original;
    this.all.set([...this.all.value, { id, name, type: typeOf(original), bytes, ...previewUrl }]);
    try {
      return await this.#read(id, await shrinkPicture(original));
    } catch {
      this.remove(id);
      return { kind: "unreadable", name };
    }
  }

  async #read(id: string, file: File): Promise<Refusal | undefined> {
    const { name, size: bytes } = file;
    const others = this.all.value.filter((one) => one.id !== id).reduce((sum, one) => sum + one.bytes, 0);
    if (others + bytes > MOST_BYTES) {
      this.remove(id);
      return { kind: "too-large", name, bytes, isAlone: bytes > MOST_BYTES };
    }
    const content = await base64Of(file);
    const read = { name, type: typeOf(file), bytes, content };
    this.all.set(this.all.value.map((one) => (one.id === id ? { ...one, ...read } : one)));
    return undefined;
  }
}

function typeOf(file: File): string {
  return file.type || "application/octet-stream";
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}
