// Reads what somebody said: its sentences, and what each of them tells. Sentences with something secret are passed over.
import { drawFacts, type Said } from "./extract.ts";
import type { DrawnFact } from "./drawn-fact.ts";
import { hasSecret } from "./secrets.ts";
import { cutSentences, type Sentence } from "./sentences.ts";

export interface ReadSentence extends Sentence {
  readonly facts: readonly DrawnFact[];
}

export function readSaid(text: string, said: Said): ReadSentence[] {
  return cutSentences(text).flatMap((sentence) =>
    hasSecret(`${sentence.said} ${sentence.plain.slice(sentence.said.length)}`)
      ? []
      : [{ ...sentence, facts: drawFacts(sentence.plain, said) }],
  );
}
