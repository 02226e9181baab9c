// Parts of the system prompt. Everything here comes from the operator or the agent's own files: there is no
// field for what strangers choose (names, topics, subjects), and there must never be one.
import type { ThinkingLevel } from "@chela/sdk";

/** `minimal` is for sub-agents and jobs; `none` says only who the agent is. */
type PromptMode = "full" | "minimal" | "none";

/** A file of the workspace as it stands in the prompt. */
export interface PromptFile {
  readonly name: string;
  readonly path: string;
  readonly content: string;
  readonly rawChars: number;
  readonly truncated: boolean;
}

export interface PromptSandbox {
  /** Where commands begin, seen from inside. */
  readonly workdir: string;
  readonly access: "none" | "ro" | "rw";
  /** Hosts that can be reached; empty means none. */
  readonly hosts: readonly string[];
}

/** Nothing that changes from turn to turn: no clock, no counters. */
export interface PromptRuntime {
  readonly host?: string;
  readonly os?: string;
  /** `provider/model` */
  readonly model: string;
  readonly thinking: ThinkingLevel;
}

/** Texts that other rooms contribute, as they are to stand. */
interface PromptSlots {
  readonly skills?: string;
  readonly memory?: string;
  /** Given by the operator for this session; comes last, so that what is before it can be cached. */
  readonly extra?: string;
}

/** What an agent may use in its answers. */
export interface PromptAbilities {
  readonly heartbeats?: boolean;
  /** The model needs to be told to think in tags. */
  readonly reasoningTags?: boolean;
  readonly modelAliases?: ReadonlyArray<{ readonly alias: string; readonly model: string }>;
  /** Ids of those whose wishes are the owner's; never names. */
  readonly owners?: readonly string[];
}

export interface PromptParts {
  readonly mode: PromptMode;
  readonly agent: { readonly id: string; readonly name: string; readonly theme?: string; readonly emoji?: string };
  readonly workspace: {
    readonly path: string;
    readonly files: readonly PromptFile[];
    readonly sandbox?: PromptSandbox;
  };
  readonly timeZone: string;
  readonly runtime: PromptRuntime;
  readonly abilities?: PromptAbilities;
  readonly slots?: PromptSlots;
}
