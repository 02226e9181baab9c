// The few parts of the configuration that decide which tools may be used, typed loosely so that the real configuration fits.
import type { SearchSettings } from "../search/choose-direct.ts";

export interface ToolListsView {
  readonly allow?: readonly string[] | undefined;
  readonly alsoAllow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

interface ProviderToolsView extends ToolListsView {
  readonly profile?: string | undefined;
}

export interface LoopDetectionView {
  readonly enabled?: boolean | undefined;
  readonly historySize?: number | undefined;
  readonly warningThreshold?: number | undefined;
  readonly criticalThreshold?: number | undefined;
  readonly globalCircuitBreakerThreshold?: number | undefined;
  readonly detectors?:
    | {
        readonly genericRepeat?: boolean | undefined;
        readonly knownPollNoProgress?: boolean | undefined;
        readonly pingPong?: boolean | undefined;
      }
    | undefined;
}

/** What both the gateway and a single agent may say about tools. */
export interface AgentToolsView extends ToolListsView {
  readonly profile?: string | undefined;
  readonly byProvider?: Readonly<Record<string, ProviderToolsView | undefined>> | undefined;
  readonly sandbox?: { readonly tools?: ToolListsView | undefined } | undefined;
  readonly loopDetection?: LoopDetectionView | undefined;
}

export interface ToolsConfigView {
  readonly tools?:
    | (AgentToolsView & {
        readonly subagents?: { readonly tools?: ToolListsView | undefined } | undefined;
        readonly search?: SearchSettings | undefined;
      })
    | undefined;
  readonly agents?:
    | {
        readonly defaults?:
          | { readonly subagents?: { readonly maxSpawnDepth?: number | undefined } | undefined }
          | undefined;
        readonly list?: readonly { readonly id: string; readonly tools?: AgentToolsView | undefined }[] | undefined;
      }
    | undefined;
}

/** What the chat a message came from says about tools. */
export interface GroupToolsView {
  readonly tools?: ToolListsView | undefined;
  readonly toolsBySender?: Readonly<Record<string, ToolListsView | undefined>> | undefined;
}
