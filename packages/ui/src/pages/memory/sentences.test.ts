import { expect, test } from "vitest";
import type { Fact } from "./forget.ts";
import { bySentence } from "./sentences.ts";

const fact = (id: string, more: Partial<Fact>): Fact => ({
  id,
  kind: "entity",
  subject: "owner",
  text: "I live in Bergen.",
  confidence: 0.8,
  sessionKey: "agent:main:main",
  sessionId: "s",
  entryId: "e",
  role: "user",
  at: 1,
  isInPrompt: false,
  by: "rules",
  ...more,
});

test("facts of one sentence are one, with all kinds and the surest of them", () => {
  const facts = [
    fact("home", {}),
    fact("other", { entryId: "f" }),
    fact("day", { kind: "date", confidence: 0.9, isInPrompt: true, by: "model" }),
    fact("told", { entryId: "g", by: "model" }),
  ];
  expect(bySentence(facts)).toEqual([
    { fact: facts[2], kinds: ["entity", "date"], isInPrompt: true, isReadByModel: false },
    { fact: facts[1], kinds: ["entity"], isInPrompt: false, isReadByModel: false },
    { fact: facts[3], kinds: ["entity"], isInPrompt: false, isReadByModel: true },
  ]);
});
