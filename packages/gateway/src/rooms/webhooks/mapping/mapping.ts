// A mapping as it is used: complete, with everything its preset brings.
import type { Secret } from "@chela/sdk";

export type SignatureType = "github" | "stripe" | "slack" | "sentry" | "standard" | "chela" | "generic";

export interface Signature {
  readonly type: SignatureType;
  readonly secret: Secret;
  /** Where a generic signature stands; lowercase. */
  readonly header: string | undefined;
  readonly toleranceSeconds: number;
}

/** How a request that comes again is known. A template is filled with what it says. */
export type Dedupe =
  | { readonly kind: "auto" | "body" | "none" }
  | { readonly kind: "template"; readonly template: string };

export type WakeMode = "now" | "next-heartbeat";
export type HookAction = "agent" | "wake";

export interface Mapping {
  /** Names its runs; no other mapping has it. */
  readonly id: string;
  readonly origin: "mapping" | "preset";
  readonly preset: string | undefined;
  /** Absent: any path. */
  readonly path: string | undefined;
  /** What the payload's `source` must be. */
  readonly source: string | undefined;
  readonly action: HookAction;
  readonly wakeMode: WakeMode;
  readonly name: string;
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  /** Lines of a preset: one in which nothing could be filled is left out. A template is filled as it is. */
  readonly text: { readonly lines: readonly string[] } | { readonly template: string } | undefined;
  /** The operator's own words, said before the text. */
  readonly instructions: string | undefined;
  readonly deliver: boolean;
  /** The text is not marked as a stranger's. */
  readonly isTrusted: boolean;
  readonly channel: string | undefined;
  readonly to: string | undefined;
  readonly model: string | undefined;
  readonly thinking: string | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly tools: ToolLists | undefined;
  readonly dedupe: Dedupe;
  /** Absent: whoever has the token may send it. */
  readonly signature: Signature | undefined;
  readonly transform: { readonly module: string; readonly exportName: string | undefined } | undefined;
}

export interface ToolLists {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** Written, but not there; `why` is for people. */
export interface AbsentMapping {
  readonly id: string;
  readonly name: string;
  readonly path: string | undefined;
  readonly preset: string | undefined;
  readonly why: string;
}
