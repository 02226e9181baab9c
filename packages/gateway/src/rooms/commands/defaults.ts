// Defaults of a conversation where its session says nothing.

export interface SessionDefaults {
  readonly thinking: string;
  readonly verbose: string;
  readonly reasoning: string;
  readonly elevated: string;
  readonly exec: { readonly host: string; readonly security: string; readonly ask: string };
  readonly queue: string;
  readonly activation: string;
}
