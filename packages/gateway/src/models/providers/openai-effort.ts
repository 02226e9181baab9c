// How hard OpenAI's own models shall think, in the words each generation knows.
import type { ModelRequest, ThinkingLevel } from "@chela/sdk";

/** The first GPT-5 knows "minimal", later ones "none" instead, and "xhigh" since 5.2. */
export function effortFor({ model, thinking }: ModelRequest): string | undefined {
  const version = /^gpt-(\d+)(?:\.(\d+))?/.exec(model.id);
  const major = Number(version?.[1] ?? 0);
  const minor = Number(version?.[2] ?? 0);
  const isFirstFive = major === 5 && minor === 0;
  const isLater = major > 5 || (major === 5 && minor > 0);
  const efforts: Record<ThinkingLevel, string | undefined> = {
    off: isFirstFive ? "minimal" : major === 5 && isLater ? "none" : undefined,
    minimal: isFirstFive ? "minimal" : "low",
    low: "low",
    medium: "medium",
    high: "high",
    xhigh: isLater && minor !== 1 ? "xhigh" : "high",
  };
  return efforts[thinking];
}
