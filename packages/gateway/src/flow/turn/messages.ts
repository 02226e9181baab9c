// The messages and records a turn writes besides what the model says. Pure.
import { defined } from "@chela/sdk/base";
import {
  noUsage,
  type AssistantMessage,
  type Change,
  type GatewayError,
  type ModelInfo,
  type RunRecord,
  type SessionEntry,
  type ToolCallBlock,
  type ToolResultMessage,
  type UserMessage,
} from "@chela/sdk";
import { inboundBlocks, type InboundMeta, type LoopOutcome } from "../../rooms/agent/room.ts";
import { withTimePrefix } from "../../base/text/time-prefix.ts";
import type { EntryBody } from "../../rooms/sessions/room.ts";
import { isOwnWork, MessageBody } from "../message-body.ts";
import { THINKING_OF_LAST_TURN } from "./session-after.ts";
import type { Heard } from "./asides.ts";
import type { StopCause } from "./outcome.ts";
import type { TakenIn } from "./kit.ts";

const INTERRUPTED = "The gateway was restarted while this tool ran. Whether it took effect is not known.";

export interface MessageAdditions {
  /** What happened meanwhile, in lines. */
  readonly news: readonly string[];
  /** What else was said where the message comes from. */
  readonly heard: readonly Heard[];
  readonly takenIn: TakenIn;
  readonly timeZone: string | undefined;
}

/** What a person wrote, with the time and with what happened meanwhile before it. */
export function userMessage(text: string, body: MessageBody, at: number, around: MessageAdditions): UserMessage {
  const { provenance, job } = body;
  const { notes, images, files } = around.takenIn;
  const blocks = inboundBlocks(metaOf(body, around.heard));
  const words = [...notes, text].filter(Boolean).join("\n");
  const timed = withTimePrefix(words, at, around.timeZone);
  const said = [around.news.join("\n"), blocks, timed].filter(Boolean).join("\n\n");
  const content = [{ type: "text" as const, text: said }, ...images];
  return {
    role: "user",
    content,
    timestamp: at,
    ...(provenance ? { provenance } : {}),
    ...(job ? { job } : {}),
    ...(files.length > 0 ? { media: files } : {}),
  };
}

export const NOTHING_TAKEN: TakenIn = { images: [], notes: [], files: [] };

/** What was said to a turn while it ran. */
export function saidMeanwhile({ message }: RunRecord, timeZone: string | undefined): UserMessage {
  const body = MessageBody().parse(message.body);
  return userMessage(body.text, body, message.admittedAt, { news: [], heard: [], takenIn: NOTHING_TAKEN, timeZone });
}

/** Whatever strangers chose goes beside the message, marked as theirs. In a direct chat there is little to say. */
function metaOf({ origin, sender }: MessageBody, heard: MessageAdditions["heard"]): InboundMeta {
  if (!origin) return {};
  const { chat, messageId, repliedTo, forwardedFrom, username, wasMentioned } = origin;
  const context: InboundMeta = {
    ...(repliedTo?.body ? { repliedTo: { body: repliedTo.body, ...defined({ sender: repliedTo.sender }) } } : {}),
    ...(forwardedFrom ? { forwarded: { from: forwardedFrom } } : {}),
    ...(heard.length > 0 ? { history: heard } : {}),
  };
  if (chat.kind === "direct") return context;
  return {
    conversation: {
      isGroupChat: true,
      wasMentioned,
      ...defined({ messageId, replyToId: repliedTo?.id, groupSubject: chat.title }),
    },
    sender: {
      label: sender?.name ?? username ?? sender?.id ?? "",
      ...defined({ id: sender?.id, name: sender?.name, username }),
    },
    ...context,
  };
}

/** No model could be asked: the sender is told, in the transcript too. */
export function refusal(error: GatewayError, model: ModelInfo, timestamp: number): LoopOutcome {
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: noUsage(),
    stopReason: "error",
    errorMessage: error.message,
    timestamp,
  };
  return { kind: "failed", message, failure: { reason: "not-found", message: error.detail, retry: "never" } };
}

/** A tool that was running when the process died must not stay without a result. */
export function interruptedResult({ id, name }: ToolCallBlock, timestamp: number): ToolResultMessage {
  const content = [{ type: "text" as const, text: INTERRUPTED }];
  return { role: "toolResult", toolCallId: id, toolName: name, content, isError: true, timestamp };
}

/** What others read out of a transcript: with which model and how much thinking it goes on. */
export function modelRecords(
  entry: SessionEntry,
  { provider, id, api }: ModelInfo,
  thinkingLevel: string,
  at: number,
): EntryBody[] {
  const isSameModel = entry.model === id && entry.modelProvider === provider;
  const isSameLevel = entry[THINKING_OF_LAST_TURN] === thinkingLevel;
  const data = { timestamp: at, provider, modelApi: api, modelId: id };
  return [
    ...(isSameModel ? [] : [{ type: "model_change", provider, modelId: id }]),
    ...(isSameLevel ? [] : [{ type: "thinking_level_change", thinkingLevel }]),
    ...(isSameModel ? [] : [{ type: "custom", customType: "model-snapshot", data }]),
  ];
}

/** Models whose providers keep a prompt for a while; behind a router the model's name begins with who made it. */
const CACHED_MODELS =
  /^(anthropic|moonshot|zai)\/|^openrouter\/(anthropic|moonshot|moonshotai|zai|z-ai)\/|^kilocode\/anthropic\//;

/** When a provider last saw the conversation: OpenClaw prunes by it. Only where old results are pruned at all. */
export function cacheRecords(
  { provider, model, stopReason }: AssistantMessage,
  pruning: "off" | "cache-ttl" | undefined,
  at: number,
): EntryBody[] {
  const isCached = CACHED_MODELS.test(`${provider}/${model}`) && stopReason !== "error" && stopReason !== "aborted";
  if (pruning !== "cache-ttl" || !isCached) return [];
  const data = { timestamp: at, provider, modelId: model };
  return [{ type: "custom", customType: "openclaw.cache-ttl", data }];
}

/** Every call is noted before it runs. */
export function toolStarts({ content }: AssistantMessage, runId: string, at: number): Change[] {
  return content.flatMap((block): Change[] => {
    if (block.type !== "toolCall") return [];
    const { id, name, arguments: args } = block as ToolCallBlock;
    return [{ kind: "tool-start", runId, toolCallId: id, name, args, at }];
  });
}

export function abortMark(stopped: StopCause | undefined, runId: string): object {
  if (!stopped) return {};
  const origin = stopped === "stop" ? "stop-command" : stopped;
  return { openclawAbort: { aborted: true, origin, runId } };
}

/**
 * Who wrote what an entry says, for those who learn from it: known from the door, never from the text. Nothing is said
 * where several wrote it, nobody did, or somebody passed on what others wrote.
 */
export function writtenBy(records: readonly RunRecord[]): { by?: { isOwner?: true; person?: string } } {
  const bodies = records.map(({ message }) => ({ ...message, ...MessageBody().parse(message.body) }));
  const isOwnWords = ({ channel, errand, provenance, origin }: (typeof bodies)[number]) =>
    !isOwnWork(channel) && !errand && !provenance && !origin?.forwardedFrom;
  if (!bodies.every(isOwnWords)) return {};
  const isOwner = bodies.every(({ sender }) => sender?.isOwner === true);
  const [first] = bodies;
  const person = first?.sender?.person?.id;
  const isOne = person !== undefined && bodies.every(({ sender }) => sender?.person?.id === person);
  return isOwner || isOne
    ? { by: { ...(isOwner ? { isOwner: true as const } : {}), ...(isOne ? { person } : {}) } }
    : {};
}

/** The chat window it was typed into, or the job that asked, for windows that show the conversation. */
export function typedIn({ message }: RunRecord, { client, job }: MessageBody): { senderLabel?: string } {
  if (job) return { senderLabel: job.name };
  const label = client?.name ?? client?.id;
  return label !== undefined && message.messageId.startsWith("chat:") ? { senderLabel: label } : {};
}
