// Names of the levels of thinking where several wire APIs share the words.
import type { ThinkingLevel } from "@chela/sdk";

type Thinking = Exclude<ThinkingLevel, "off">;

/** The efforts that most servers know. */
export const COMMON_EFFORT: Readonly<Record<ThinkingLevel, "low" | "medium" | "high" | undefined>> = {
  off: undefined,
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
};

/** Tokens an older Claude may think. */
const CLAUDE_BUDGET: Readonly<Record<Thinking, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 20_480,
  xhigh: 32_768,
};

type ClaudeEffort = "low" | "medium" | "high" | "xhigh" | "max";

/** From 4.6 on a Claude decides itself how long it thinks, within an effort; older ones get a budget of tokens. */
export type ClaudeThinking =
  | { readonly kind: "none" }
  | { readonly kind: "adaptive"; readonly effort: ClaudeEffort }
  | { readonly kind: "budget"; readonly tokens: number };

/** The name may have the maker before it and a date behind it, and a dot in its version, as other providers write it. */
const VERSION = /claude-[a-z]+-(\d+)(?:[-.](\d{1,2})(?!\d))?/;

export function claudeThinking(modelId: string, level: ThinkingLevel): ClaudeThinking {
  if (level === "off") return { kind: "none" };
  const found = VERSION.exec(modelId);
  const version = Number(found?.[1] ?? 0) * 100 + Number(found?.[2] ?? 0);
  if (version < 406) return { kind: "budget", tokens: CLAUDE_BUDGET[level] };
  if (level !== "xhigh") return { kind: "adaptive", effort: COMMON_EFFORT[level] ?? "low" };
  // Those of 4.6 know no "xhigh"; "max" is what comes after "high" there.
  return { kind: "adaptive", effort: version < 407 ? "max" : "xhigh" };
}
