// The compiled scan with a memory of its own, as functions; addresses are bytes in that memory.
import { SCAN_MODULE } from "./scan-module.ts";

export interface Kernel {
  readonly memory: GrowingMemory;
  score(row: number, scale: number, query: number, width: number): number;
  scanBytes(
    rows: number,
    scales: number,
    count: number,
    width: number,
    first: number,
    query: number,
    best: number,
  ): void;
  scanSigns(rows: number, count: number, words: number, first: number, query: number, best: number): void;
  takeSigns(rows: number, count: number, width: number, signs: number, words: number): void;
}

interface GrowingMemory {
  /** Another one after each growth. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used of the runtime's WebAssembly, whose types come with those of a browser only. */
interface WebAssemblyParts {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Compiling takes less than a millisecond, so every space has an instance whose memory goes away with it. */
export function createKernel(): Kernel {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyParts };
  const module = new WebAssembly.Module(Buffer.from(SCAN_MODULE, "base64"));
  return new WebAssembly.Instance(module).exports as Kernel;
}
