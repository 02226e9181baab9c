// The catalogue of models: how a row is made, and that it is what its source says.
import { expect, it } from "vitest";
import { isCatalogCurrent, isListHere, renderCatalog, type ListedModel } from "./model-catalog.ts";

it.runIf(isListHere())("the catalogue is what its source says (else run `node scripts/model-catalog.ts`)", () => {
  expect(isCatalogCurrent()).toBe(true);
});

const listed = (more: Partial<ListedModel>): ListedModel => ({
  type: "chat",
  id: "m",
  name: "M",
  reasoning: false,
  input: ["text"],
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
  ...more,
});

it.for<[string, string, Partial<ListedModel>, string | undefined]>([
  ["a plain model", "openai", {}, "m|M||1000|100|1|2|0.1|0"],
  ["one that thinks and sees", "openai", { reasoning: true, input: ["text", "image"] }, "m|M|ri|1000|100|1|2|0.1|0"],
  ["a switch for thinking", "zai", { compat: { thinkingFormat: "zai" } }, "m|M|z|1000|100|1|2|0.1|0"],
  ["no effort", "groq", { compat: { supportsReasoningEffort: false } }, "m|M|n|1000|100|1|2|0.1|0"],
  ["an uncertain price", "openrouter", { cost: { ...listed({}).cost, input: -1 } }, "m|M||1000|100"],
  ["a name with odd letters", "openai", { name: "Mé|`x (latest)" }, "m|Mx||1000|100|1|2|0.1|0"],
  ["what does not talk", "openai", { type: "classifier" }, undefined],
  ["what answers tomorrow", "openrouter", { id: "a/b:batch" }, undefined],
])("a row of the catalogue for %s", ([, provider, more, row]) => {
  const { models } = JSON.parse(renderCatalog({ [provider]: [listed(more)] })) as { models: unknown };
  expect(models).toEqual({ [provider]: row === undefined ? [] : [row] });
});
