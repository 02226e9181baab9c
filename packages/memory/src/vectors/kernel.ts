// The compiled scan with a memory of its own, as functions; addresses are bytes in that memory.
import { SCAN_MODULE } from "./scan-module.ts";

export interface Kernel {
  readonly memory: GrowingMemory;
  scanBytes(
    rows: number,
    scales: number,
    count: number,
    width: number,
    first: number,
    query: number,
    best: number,
  ): void;
  rankRows(
    slots: number,
    count: number,
    blocks: number,
    blockRows: number,
    blockBytes: number,
    rowsAt: number,
    width: number,
    query: number,
    best: number,
  ): void;
  countSigns(rows: number, count: number, words: number, query: number, distances: number, histogram: number): void;
  /** How many were chosen. */
  chooseRows(distances: number, count: number, first: number, farthest: number, slots: number): number;
  takeSigns(
    rows: number,
    scales: number,
    count: number,
    width: number,
    center: number,
    signs: number,
    words: number,
  ): void;
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
