// Turns the stream parts of the AI SDK into our model events.
import { defined } from "@chela/sdk/base";
import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { ModelEvent, ModelInfo, Usage } from "@chela/sdk";
import { CallsMeter } from "./answer-limits.ts";
import { readArguments } from "./call-arguments.ts";
import { namedAnswer } from "./endings.ts";
import { cutFailure, makeFailure, toFailure, type FailureContext } from "./failure.ts";
import { toUsage } from "./usage.ts";

type StreamPart = LanguageModelV3StreamPart;
type Metadata = Record<string, Record<string, unknown>> | undefined;

export interface EventTranslator {
  /** The events of one part. A finish or failure among them is the last; later parts must not be passed. */
  translate(part: StreamPart): readonly ModelEvent[];
}

const NOTHING: readonly ModelEvent[] = [];

export function createEventTranslator(model: ModelInfo, context: FailureContext): EventTranslator {
  let signature: string | undefined;
  let redacted = false;
  let calls = 0;
  let named: ReturnType<typeof namedAnswer> = {};
  const meter = new CallsMeter();
  /** From the first unreadable call on, all wait for the end: what the length limit cut in two is left out. */
  const held: Extract<ModelEvent, { kind: "tool-call" }>[] = [];

  const remember = (metadata: unknown): void => {
    const found = signatureIn(metadata as Metadata);
    if (!found) return;
    signature = found.signature;
    redacted = found.redacted;
  };
  const closeThinking = (): ModelEvent => {
    const end: ModelEvent = {
      kind: "thinking-end",
      ...defined({ signature }),
      ...(redacted ? { redacted } : {}),
    };
    signature = undefined;
    redacted = false;
    return end;
  };
  const takeCall = (part: Extract<StreamPart, { type: "tool-call" }>): readonly ModelEvent[] => {
    if (part.providerExecuted) return NOTHING;
    calls++;
    meter.begin();
    const found = signatureIn(part.providerMetadata as Metadata);
    const call = {
      kind: "tool-call",
      id: part.toolCallId,
      name: part.toolName,
      ...readArguments(part.input),
      ...(found ? { signature: found.signature } : {}),
    } as const;
    if (held.length === 0 && call.unreadable === undefined) return [call];
    held.push(call);
    return NOTHING;
  };
  const end = (part: Extract<StreamPart, { type: "finish" }>): ModelEvent => {
    const { unified, raw } = part.finishReason;
    const usage = usageOf(part.usage, model);
    if (unified === "other" && raw === undefined) return { kind: "failure", failure: cutFailure(context.provider) };
    if (unified === "content-filter") return fail("refused", `${context.provider} declined to answer`);
    if (unified === "length") return { kind: "finish", stopReason: "length", usage, ...named };
    if (/malformed/i.test(raw ?? ""))
      return fail("malformed", `${context.provider}: the model wrote a call that is none`);
    if (unified === "error") return fail("unknown", `${context.provider} ended the answer with an error`);
    return { kind: "finish", stopReason: calls > 0 ? "toolUse" : "stop", usage, ...named };
  };

  const close = (last: ModelEvent): readonly ModelEvent[] => {
    if (last.kind !== "finish") return [last];
    const whole = held.filter(({ unreadable }) => unreadable === undefined || last.stopReason !== "length");
    return [...whole, last];
  };

  return {
    translate(part) {
      switch (part.type) {
        case "response-metadata":
          named = namedAnswer(part.id);
          return NOTHING;
        case "text-delta":
          return part.delta === "" ? NOTHING : [{ kind: "text", delta: part.delta }];
        case "reasoning-start":
          remember(part.providerMetadata);
          return NOTHING;
        case "reasoning-delta":
          remember(part.providerMetadata);
          return part.delta === "" ? NOTHING : [{ kind: "thinking", delta: part.delta }];
        case "reasoning-end":
          remember(part.providerMetadata);
          return [closeThinking()];
        case "tool-input-delta":
          meter.add(part.delta);
          return NOTHING;
        case "tool-call":
          return takeCall(part);
        case "error":
          return [{ kind: "failure", failure: toFailure(part.error, context) }];
        case "finish":
          return close(end(part));
        default:
          return NOTHING;
      }
    },
  };
}

function fail(reason: "refused" | "malformed" | "unknown", message: string): ModelEvent {
  return { kind: "failure", failure: makeFailure(reason, message) };
}

/**
 * Each provider has its own name for "send this back with the next request". OpenAI's has two parts and is kept in the
 * form of its reasoning item, as transcripts of other programs have it.
 */
function signatureIn(metadata: Metadata): { signature: string; redacted: boolean } | undefined {
  for (const values of Object.values(metadata ?? {})) {
    if (typeof values["redactedData"] === "string") return { signature: values["redactedData"], redacted: true };
    const plain = values["signature"] ?? values["thoughtSignature"];
    if (typeof plain === "string") return { signature: plain, redacted: false };
    if (typeof values["itemId"] === "string" && "reasoningEncryptedContent" in values) {
      const item = { type: "reasoning", id: values["itemId"], encrypted_content: values["reasoningEncryptedContent"] };
      return { signature: JSON.stringify(item), redacted: false };
    }
  }
  return undefined;
}

function usageOf(usage: LanguageModelV3Usage, model: ModelInfo): Usage {
  const { total, noCache, cacheRead = 0, cacheWrite = 0 } = usage.inputTokens;
  const input = noCache ?? Math.max(0, (total ?? 0) - cacheRead - cacheWrite);
  return toUsage({ input, output: usage.outputTokens.total ?? 0, cacheRead, cacheWrite }, model);
}
