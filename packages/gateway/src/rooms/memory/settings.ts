// Settings of the memory of one agent, as the gateway needs to know them.
import type { IndexSettings } from "@chela/memory";

export interface MemorySettings {
  readonly isOn: boolean;
  readonly index: IndexSettings;
  /** Conversations teach the agent, by rules and without a model. */
  readonly learns: boolean;
  /** A model reads them, too. */
  readonly reads?: { readonly model: string; readonly maxTokensPerDay: number };
  readonly watches: boolean;
  readonly watchDebounceMs: number;
  readonly syncsOnSearch: boolean;
}
