// Parameters of OpenAI requests: which are carried out, which are refused in a sentence, which are named as not used.
import { defined } from "@chela/sdk/base";
import type { ServerResponse } from "node:http";
import * as z from "zod";
import { once, THINKING_LEVELS, type Parsed } from "@chela/sdk";
import { unusable } from "./openai-prompt.ts";

/** Names what of the request had no effect, so that a client can tell. */
const UNUSED_HEADER = "x-chela-not-used";
const MOST_NAMED = 32;

const Limit = () => z.int().positive().nullish();

/** What both APIs know under one name or another. */
export const Wishes = once(() =>
  z.object({
    max_tokens: Limit(),
    max_completion_tokens: Limit(),
    max_output_tokens: Limit(),
    reasoning_effort: z.string().nullish(),
    reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
  }),
);

export interface TurnWishes {
  /** Of one answer of the model. */
  readonly maxTokens?: number;
  readonly thinking?: string;
}

type Body = Readonly<Record<string, unknown>>;

/** Without these the client would get something else than it asked for, and not notice. */
const REFUSED: ReadonlyArray<{ readonly of: string; isMeant(body: Body): boolean; readonly why: string }> = [
  {
    of: "tools",
    isMeant: ({ tools, functions, tool_choice: choice }) => [tools, functions].some(isFilled) && choice !== "none",
    why: "the agent has its own tools; tools of the client cannot be called. Send the request without.",
  },
  { of: "n", isMeant: ({ n }) => (n ?? 1) !== 1, why: "an agent gives one answer." },
  {
    of: "response_format",
    isMeant: ({ response_format: format }) => isOtherThanText(format),
    why: "an agent answers in text. Ask for the form in the message, and check what comes.",
  },
  {
    of: "text.format",
    isMeant: ({ text }) => isOtherThanText((text as Body | undefined | null)?.["format"]),
    why: "an agent answers in text. Ask for the form in the message, and check what comes.",
  },
  {
    of: "logprobs",
    isMeant: (body) => Boolean(body["logprobs"]) || Boolean(body["top_logprobs"]) || includesLogprobs(body["include"]),
    why: "how likely the words of an agent were is not known.",
  },
  { of: "stop", isMeant: ({ stop }) => isFilled(stop), why: "an agent's answer is not cut at a word." },
  { of: "logit_bias", isMeant: ({ logit_bias: bias }) => isFilled(bias), why: "words of an agent cannot be weighted." },
  {
    of: "modalities",
    isMeant: ({ modalities, audio }) => isFilled(audio) || (Array.isArray(modalities) && modalities.includes("audio")),
    why: "an agent answers in text; it sends no audio this way.",
  },
  { of: "background", isMeant: ({ background }) => background === true, why: "the answer is given while you wait." },
  {
    of: "conversation",
    isMeant: ({ conversation }) => isFilled(conversation),
    why: "conversations are named by `user`, by `previous_response_id` or by the header x-openclaw-session-key.",
  },
  {
    of: "prompt",
    isMeant: ({ prompt }) => isFilled(prompt),
    why: "there are no prompt templates here. Send the text.",
  },
];

/** Values that only say what is so anyway. */
const SAYS_NOTHING: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  response_format: (value) => !isOtherThanText(value),
  text: (value) => Object.keys(value as object).every((name) => name === "format"),
  reasoning: (value) => Object.keys(value as object).every((name) => name === "effort"),
  modalities: (value) => Array.isArray(value) && value.every((one) => one === "text"),
  tools: () => true,
  functions: () => true,
  tool_choice: () => true,
  parallel_tool_calls: () => true,
  logprobs: (value) => value === false,
  background: (value) => value === false,
  store: (value) => value === true,
};

const LIMITS = ["max_tokens", "max_completion_tokens", "max_output_tokens"] as const;

/** Throws for what cannot be done; names in a header what was not used. `used` are the parameters the caller reads itself. */
export function readWishes(
  body: Body & Parsed<typeof Wishes>,
  used: readonly string[],
  response: ServerResponse,
): TurnWishes {
  const refused = REFUSED.find(({ isMeant }) => isMeant(body));
  if (refused) throw unusable(`${refused.of}: ${refused.why}`);
  const known = new Set<string>([...used, ...LIMITS, "reasoning_effort"]);
  const unused = Object.entries(body).filter(
    ([name, value]) =>
      !known.has(name) && (isFilled(value) || typeof value === "number") && !SAYS_NOTHING[name]?.(value),
  );
  // Names come from the client: only plain ones may stand in a header.
  const names = unused.map(([name]) => name).filter((name) => /^\w{1,64}$/.test(name));
  if (names.length > 0) response.setHeader(UNUSED_HEADER, names.slice(0, MOST_NAMED).join(", "));
  const limits = LIMITS.flatMap((name) => body[name] ?? []);
  const thinking = levelOf(body.reasoning_effort ?? body.reasoning?.effort ?? undefined);
  return {
    ...(limits.length > 0 ? { maxTokens: Math.min(...limits) } : {}),
    ...defined({ thinking }),
  };
}

function levelOf(effort: string | undefined): string | undefined {
  if (effort === undefined) return undefined;
  const level = effort === "none" ? "off" : effort;
  if (THINKING_LEVELS.some((known) => known === level)) return level;
  throw unusable(`reasoning_effort: "${effort.slice(0, 40)}" is not known. Take one of none, ${levels().join(", ")}.`);
}

const levels = (): string[] => THINKING_LEVELS.filter((level) => level !== "off");

function isFilled(value: unknown): boolean {
  if (typeof value === "string" || Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return typeof value === "boolean";
}

function isOtherThanText(format: unknown): boolean {
  if (format === undefined || format === null) return false;
  return (format as { type?: unknown }).type !== "text";
}

function includesLogprobs(include: unknown): boolean {
  return Array.isArray(include) && include.some((what) => String(what).endsWith("logprobs"));
}
