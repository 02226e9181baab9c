// Reasoning effort of OpenAI's own models, in the words each generation knows.
import type { ModelRequest, ThinkingLevel } from "@chela/sdk";

/** Other providers carry these models too, with the maker's name before theirs. */
const NAME = /(?:^|[/.])(?:gpt-(\d+)(?:\.(\d+))?|o\d)/;

export function isOpenaiModel(id: string): boolean {
  return NAME.test(id) && !/gpt-oss/.test(id);
}

/** The first GPT-5 knows "minimal", later ones "none" instead, and "xhigh" since 5.2. */
export function effortFor({ model, thinking }: Pick<ModelRequest, "model" | "thinking">): string | undefined {
  const version = NAME.exec(model.id);
  const major = Number(version?.[1] ?? 0);
  const minor = Number(version?.[2] ?? 0);
  const isFirstFive = major === 5 && minor === 0;
  const isLater = major > 5 || (major === 5 && minor > 0);
  const efforts: Record<ThinkingLevel, string | undefined> = {
    off: isFirstFive ? "minimal" : isLater && !ALWAYS_THINKS.test(model.id) ? "none" : undefined,
    minimal: isFirstFive ? "minimal" : "low",
    low: "low",
    medium: "medium",
    high: "high",
    xhigh: isLater && !(major === 5 && minor === 1) ? "xhigh" : "high",
  };
  const effort = efforts[thinking];
  // The pro models begin at medium, and the first of them knows only high.
  if (!model.id.endsWith("-pro") || major === 0) return effort;
  if (isFirstFive) return "high";
  return effort === "low" ? "medium" : effort;
}

/** Some refuse to be told not to think. */
const ALWAYS_THINKS = /-pro$|-spark$|-cyber$|gpt-6-astra|gpt-6\.1-sol/;
