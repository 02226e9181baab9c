// What is offered, and in which order.
import { expect, it } from "vitest";
import { groupProviders, modelChoices, type Provider } from "./choices.ts";

const provider = (id: string, kind: Provider["kind"], label = id): Provider => ({ id, label, kind, configured: false });

it("offers well-known providers first, then the others by name, each kind by itself", () => {
  const groups = groupProviders([
    provider("zai", "hosted"),
    provider("ollama", "local"),
    provider("openai", "hosted"),
    provider("groq", "hosted"),
    provider("anthropic", "hosted"),
  ]);
  expect(groups.map(({ kind, providers }) => [kind, providers.map(({ id }) => id)])).toEqual([
    ["hosted", ["anthropic", "openai", "groq", "zai"]],
    ["local", ["ollama"]],
  ]);
});

it("puts the suggested model first and says so", () => {
  const models = [
    { id: "a", name: "a" },
    { id: "b", name: "Model B" },
    { id: "c", name: "c" },
  ];
  expect(modelChoices(models, "b", "suggested")).toEqual([
    { id: "b", label: "Model B", hint: "suggested · b" },
    { id: "a", label: "a" },
    { id: "c", label: "c" },
  ]);
});
