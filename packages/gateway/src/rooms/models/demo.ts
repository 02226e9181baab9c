// The built-in demo model: no language model at all, but it streams, thinks, calls tools and fails on demand.
import { withoutTimePrefix } from "../../base/text/time-prefix.ts";
import {
  pause,
  noUsage,
  textOf,
  type Clock,
  type ModelEvent,
  type ModelFailureReason,
  type ModelProvider,
  type ModelRequest,
  type StopReason,
} from "@chela/sdk";
import { abortedEvent } from "./providers/endings.ts";
import { cutFailure, makeFailure } from "./providers/failure.ts";

const PAUSE_MS = 250;

const GREETING =
  "I am the built-in demo model, not a language model: I only repeat and follow a few fixed commands. " +
  "To connect a real one, set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, " +
  "or start Ollama, LM Studio or llama.cpp on this machine; then send your message again.";

const HELP = [
  GREETING,
  "",
  "What I can be asked for, each on a line of its own:",
  "- help: this list",
  "- say <text>: exactly this text",
  '- call <tool> {"name": "value"}: a tool call; several lines make several calls',
  "- think <text>: thinking before the answer",
  "- slow <n> words: n words, four a second",
  "- fail <reason>: a failure; reasons are auth, billing, rate-limit, overloaded, context-overflow, refused, bad-request, not-found, network, timeout, malformed, unknown and cut",
].join("\n");

const REASONS: readonly ModelFailureReason[] = [
  "auth",
  "billing",
  "rate-limit",
  "overloaded",
  "context-overflow",
  "refused",
  "bad-request",
  "not-found",
  "network",
  "timeout",
  "malformed",
  "unknown",
];

/** What to do about one message, decided before the first event is sent. */
interface Plan {
  readonly thinking?: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
  readonly pauseMs: number;
  readonly failure?: ModelFailureReason | "cut";
}

export function createDemoModel(clock: Clock): ModelProvider {
  return {
    id: "demo",
    async *stream(request, signal) {
      if (signal.aborted) return yield abortedEvent();
      const plan = makePlan(request);
      if (plan.failure && plan.failure !== "cut") return yield demoFailure(plan.failure);
      if (plan.thinking) {
        yield { kind: "thinking", delta: plan.thinking };
        yield { kind: "thinking-end" };
      }
      for (const word of plan.text.match(/\s*\S+/g) ?? []) {
        if (plan.pauseMs > 0) await pause(clock, plan.pauseMs, signal);
        if (signal.aborted) return yield abortedEvent();
        yield { kind: "text", delta: word };
      }
      if (plan.failure) return yield { kind: "failure", failure: cutFailure("demo") };
      yield* plan.calls.map((call, index) => toCallEvent(call, request.messages.length, index));
      yield toFinish(request, plan);
    },
  };
}

function makePlan(request: ModelRequest): Plan {
  const reply = (text: string): Plan => ({ text, calls: [], pauseMs: 0 });
  const results = resultsAtEnd(request);
  if (results.length > 0) return reply(results.join("\n"));
  const asked = lastUserText(request);
  const failure = /^fail ([a-z-]+)\s*$/im.exec(asked)?.[1]?.toLowerCase();
  if (failure === "cut") return { ...reply("This answer breaks off in the"), failure };
  const reason = REASONS.find((candidate) => candidate === failure);
  if (reason) return { ...reply(""), failure: reason };
  const thinking = /^think\b[ ]*(.*)$/im.exec(asked)?.[1];
  const base = thinking === undefined ? {} : { thinking: thinking || "Let me see." };
  const calls = callsIn(asked);
  if (calls.kind === "invalid") return { ...base, ...reply(calls.why) };
  if (calls.calls.length > 0) return { ...base, ...reply(""), calls: calls.calls };
  const slow = Number(/^slow (\d+) words?\s*$/im.exec(asked)?.[1] ?? 0);
  if (slow > 0) return { ...base, ...reply(countWords(Math.min(slow, 1_000))), pauseMs: PAUSE_MS };
  const said = /^say (.+)$/im.exec(asked)?.[1];
  if (said !== undefined) return { ...base, ...reply(said) };
  if (/^\W*help\W*$/i.test(asked)) return { ...base, ...reply(HELP) };
  // Not "you said": a greeting, a heartbeat or a job is asked for by the gateway.
  return { ...base, ...reply(`I was told: ${shorten(asked)}\n\n${GREETING} Say "help" to see what I can do.`) };
}

type Calls = { kind: "valid"; calls: Plan["calls"] } | { kind: "invalid"; why: string };

function callsIn(asked: string): Calls {
  const calls: { name: string; arguments: Record<string, unknown> }[] = [];
  for (const [, name = "", json = ""] of asked.matchAll(/^call ([\w.:-]+)[ \t]*(.*)$/gim)) {
    const args = parseObject(json);
    if (!args)
      return { kind: "invalid", why: `The arguments of "call ${name}" are not a JSON object: ${shorten(json)}` };
    calls.push({ name, arguments: args });
  }
  return { kind: "valid", calls };
}

function parseObject(json: string): Record<string, unknown> | undefined {
  if (json.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function resultsAtEnd({ messages }: ModelRequest): string[] {
  const lines: string[] = [];
  for (const message of messages.slice(messages.findLastIndex((candidate) => candidate.role !== "toolResult") + 1)) {
    if (message.role !== "toolResult") continue;
    const verb = message.isError ? "failed" : "said";
    lines.push(`The tool ${message.toolName} ${verb}: ${shorten(textOf(message)) || "(nothing)"}`);
  }
  return lines;
}

function lastUserText({ messages }: ModelRequest): string {
  const message = messages.findLast((candidate) => candidate.role === "user");
  return message ? withoutTimePrefix(textOf(message)).trim() : "";
}

/** Ids are unique within a conversation and the same on every run. */
function toCallEvent(call: Plan["calls"][number], position: number, index: number): ModelEvent {
  return { kind: "tool-call", id: `demo_${position}_${index + 1}`, name: call.name, arguments: call.arguments };
}

function toFinish(request: ModelRequest, plan: Plan): ModelEvent {
  const stopReason: StopReason = plan.calls.length > 0 ? "toolUse" : "stop";
  const read = request.system.length + request.messages.reduce((sum, message) => sum + textOf(message).length, 0);
  const written =
    plan.text.length + (plan.thinking?.length ?? 0) + (plan.calls.length > 0 ? JSON.stringify(plan.calls).length : 0);
  const input = estimateTokens(read);
  const output = estimateTokens(written);
  return { kind: "finish", stopReason, usage: { ...noUsage(), input, output, totalTokens: input + output } };
}

function demoFailure(reason: ModelFailureReason): ModelEvent {
  const failure = makeFailure(reason, `demo: failed with "${reason}", as asked`);
  return { kind: "failure", failure: reason === "rate-limit" ? { ...failure, retryAfterMs: 1_000 } : failure };
}

function estimateTokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / 4));
}

function countWords(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index + 1}`).join(" ");
}

function shorten(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
