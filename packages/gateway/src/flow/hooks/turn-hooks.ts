// Typed hooks on the way of a turn, each by what it may change: the model, the prompt, a tool's call, what is written and sent.
import type { AgentMessage, AssistantMessage, HookFields, ToolResultMessage } from "@chela/sdk";
import { isObject } from "@chela/sdk/base";
import type { TypedHooks } from "./typed-hooks.ts";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** `provider/model`, or the part of it that was said; the first who says something is heard. */
export async function askForModel(
  hooks: TypedHooks,
  prompt: string,
  context: HookFields,
): Promise<{ readonly model?: string; readonly provider?: string }> {
  const wanted: { model?: string; provider?: string } = {};
  for (const name of ["before_model_resolve", "before_agent_start"] as const) {
    await hooks.change(
      name,
      () => ({ prompt }),
      context,
      (voice) => {
        if (voice.kind !== "said") return "go on";
        const [model, provider] = [text(voice.returned["modelOverride"]), text(voice.returned["providerOverride"])];
        if (model !== undefined) wanted.model ??= model;
        if (provider !== undefined) wanted.provider ??= provider;
        return "go on";
      },
    );
  }
  return wanted;
}

export interface PromptChange {
  readonly system?: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Goes before the person's text. */
  readonly context: readonly string[];
}

export async function askForPrompt(
  hooks: TypedHooks,
  event: { readonly prompt: string; readonly messages: readonly unknown[] },
  context: HookFields,
): Promise<PromptChange> {
  let system: string | undefined;
  const [before, after, told]: [string[], string[], string[]] = [[], [], []];
  for (const name of ["before_prompt_build", "before_agent_start"] as const) {
    await hooks.change(
      name,
      () => ({ ...event }),
      context,
      (voice) => {
        if (voice.kind !== "said") return "go on";
        const { returned } = voice;
        system ??= text(returned["systemPrompt"]);
        before.push(...[text(returned["prependSystemContext"])].filter((one) => one !== undefined));
        after.push(...[text(returned["appendSystemContext"])].filter((one) => one !== undefined));
        told.push(...[text(returned["prependContext"])].filter((one) => one !== undefined));
        return "go on";
      },
    );
  }
  return { ...(system === undefined ? {} : { system }), before, after, context: told };
}

export type ToolCallSay =
  | { readonly kind: "go"; readonly params: unknown; readonly isChanged: boolean }
  | { readonly kind: "block"; readonly why: string };

export async function askBeforeTool(
  hooks: TypedHooks,
  event: { toolName: string; params: unknown; runId: string; toolCallId: string },
  context: HookFields,
): Promise<ToolCallSay> {
  let { params } = event;
  let isChanged = false;
  let blocked: string | undefined;
  await hooks.change(
    "before_tool_call",
    () => ({ ...event, params }),
    context,
    (voice) => {
      if (voice.kind === "forbids") {
        blocked = `a hook of the plugin ${voice.from} could not decide: ${voice.why}`;
        return "enough";
      }
      const { returned, from } = voice;
      if (returned["block"] === true) {
        blocked = text(returned["blockReason"]) ?? `the plugin ${from} forbids it`;
        return "enough";
      }
      // Whoever wants a person to be asked does not want it to run unasked.
      if (isObject(returned["requireApproval"])) {
        blocked = `the plugin ${from} wants a person to approve it, which this gateway does not ask for plugins`;
        return "enough";
      }
      if (isObject(returned["params"])) {
        params = returned["params"];
        isChanged = true;
      }
      return "go on";
    },
  );
  return blocked === undefined ? { kind: "go", params, isChanged } : { kind: "block", why: blocked };
}

const WITHHELD = "(A plugin withheld this.)";

/** A message as it is written down. Its role, its calls and what it answers stay: a conversation without them cannot go on. */
export async function askBeforeWrite<M extends AgentMessage>(
  hooks: TypedHooks,
  message: M,
  context: HookFields,
): Promise<M> {
  let written = message;
  const replace = (returned: HookFields): "go on" | "enough" => {
    const next = returned["message"];
    if (isObject(next) && next["role"] === written.role && isContent(next["content"]))
      written = { ...written, content: keepingCalls(written, next["content"]) } as M;
    if (returned["block"] !== true) return "go on";
    written = { ...written, content: keepingCalls(written, [{ type: "text", text: WITHHELD }]) } as M;
    return "enough";
  };
  if (message.role === "toolResult" && hooks.has("tool_result_persist")) {
    const { toolCallId, toolName } = message as unknown as ToolResultMessage;
    await hooks.change(
      "tool_result_persist",
      () => ({ toolName, toolCallId, message: written }),
      { ...context, toolName, toolCallId },
      (voice) => (voice.kind === "said" ? replace(voice.returned) : "go on"),
    );
  }
  if (hooks.has("before_message_write"))
    await hooks.change(
      "before_message_write",
      () => ({ message: written }),
      context,
      (voice) => (voice.kind === "said" ? replace(voice.returned) : "go on"),
    );
  return written;
}

function isContent(content: unknown): content is string | ReadonlyArray<Record<string, unknown>> {
  return (
    typeof content === "string" ||
    (Array.isArray(content) && content.every((block) => isObject(block) && typeof block["type"] === "string"))
  );
}

function keepingCalls(message: AgentMessage, content: string | ReadonlyArray<Record<string, unknown>>): unknown {
  if (message.role === "user") return content;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (message.role !== "assistant") return blocks;
  const calls = (message as AssistantMessage).content.filter(({ type }) => type === "toolCall");
  return [...blocks.filter(({ type }) => type !== "toolCall"), ...calls];
}

export type SendingSay =
  | { readonly kind: "send"; readonly text: string }
  | { readonly kind: "cancel"; readonly from: string };

export async function askBeforeSending(
  hooks: TypedHooks,
  event: { readonly to: string; readonly content: string },
  context: HookFields,
): Promise<SendingSay> {
  let { content } = event;
  let cancelledBy: string | undefined;
  await hooks.change(
    "message_sending",
    () => ({ ...event, content }),
    context,
    (voice) => {
      if (voice.kind !== "said") return "go on";
      if (voice.returned["cancel"] === true) {
        cancelledBy = voice.from;
        return "enough";
      }
      content = text(voice.returned["content"]) ?? content;
      return "go on";
    },
  );
  return cancelledBy === undefined ? { kind: "send", text: content } : { kind: "cancel", from: cancelledBy };
}
