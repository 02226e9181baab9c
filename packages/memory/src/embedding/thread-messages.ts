// Messages between the keeper and a thread that runs the model.

export interface ToThread {
  readonly id: number;
  readonly text: string;
}

export type FromThread =
  | { readonly kind: "ready"; readonly runtime: "native" | "wasm"; readonly nativeFailure?: string }
  | { readonly kind: "embedded"; readonly id: number; readonly vector: Float32Array }
  | { readonly kind: "failed"; readonly id: number; readonly why: string };
