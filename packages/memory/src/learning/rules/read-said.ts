// Reads what somebody said: its sentences, and what each of them tells. Sentences with something secret are passed over.
import { drawFacts, type Utterance } from "./extract.ts";
import type { DrawnFact } from "./drawn-fact.ts";
import { createRepeats } from "./repeats.ts";
import { hasSecret } from "./secrets.ts";
import { cutSentences, type Sentence } from "./sentences.ts";

export interface ReadSentence extends Sentence {
  readonly facts: readonly DrawnFact[];
}

/** `heard` is what tools told whoever says it. */
export function readSaid(text: string, said: Utterance, heard?: string): ReadSentence[] {
  const repeats = heard === undefined ? undefined : createRepeats(heard);
  return cutSentences(text).flatMap((sentence) => {
    if (hasSecret(`${sentence.said} ${sentence.plain.slice(sentence.said.length)}`)) return [];
    if (repeats?.isSentence(sentence)) return [];
    const facts = drawFacts(sentence.plain, said);
    return [{ ...sentence, facts: repeats ? facts.filter((fact) => !repeats.isFact(fact)) : facts }];
  });
}
