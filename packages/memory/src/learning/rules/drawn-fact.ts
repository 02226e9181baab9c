// A fact as it is drawn out of one sentence, before it has a source.
import type { FactKind } from "../../messages.ts";

export interface DrawnFact {
  readonly kind: FactKind;
  readonly slot: string;
  readonly value: string;
  readonly about: About;
  readonly confidence: number;
  readonly day?: string;
}

export type About = { readonly kind: "speaker" } | { readonly kind: "thing"; readonly subject: string };
