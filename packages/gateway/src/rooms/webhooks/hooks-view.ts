// Type of what this room reads of the configuration.
import type { HookAction, SignatureType, WakeMode } from "./mapping/mapping.ts";

export interface MappingView {
  readonly id?: string | undefined;
  readonly preset?: string | undefined;
  readonly match?: { readonly path?: string | undefined; readonly source?: string | undefined } | undefined;
  readonly action?: HookAction | undefined;
  readonly wakeMode?: WakeMode | undefined;
  readonly name?: string | undefined;
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly messageTemplate?: string | undefined;
  readonly textTemplate?: string | undefined;
  readonly instructions?: string | undefined;
  readonly deliver?: boolean | undefined;
  readonly allowUnsafeExternalContent?: boolean | undefined;
  readonly channel?: string | undefined;
  readonly to?: string | undefined;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly tools?:
    | { readonly allow?: readonly string[] | undefined; readonly deny?: readonly string[] | undefined }
    | undefined;
  readonly dedupe?: string | undefined;
  readonly signature?:
    | {
        readonly type?: SignatureType | undefined;
        readonly secret?: string | undefined;
        readonly header?: string | undefined;
        readonly toleranceSeconds?: number | undefined;
      }
    | undefined;
  readonly transform?: { readonly module?: string | undefined; readonly export?: string | undefined } | undefined;
}

export interface HooksView {
  readonly enabled?: boolean | undefined;
  readonly path?: string | undefined;
  readonly token?: string | undefined;
  readonly defaultSessionKey?: string | undefined;
  readonly allowRequestSessionKey?: boolean | undefined;
  readonly allowedSessionKeyPrefixes?: readonly string[] | undefined;
  readonly allowedAgentIds?: readonly string[] | undefined;
  readonly maxBodyBytes?: number | undefined;
  readonly presets?: readonly string[] | undefined;
  readonly transformsDir?: string | undefined;
  readonly mappings?: readonly MappingView[] | undefined;
  readonly gmail?:
    | {
        readonly allowUnsafeExternalContent?: boolean | undefined;
        readonly model?: string | undefined;
        readonly thinking?: string | undefined;
      }
    | undefined;
}
