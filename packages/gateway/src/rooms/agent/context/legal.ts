// Puts a conversation into the only form every provider takes: calls with their results right behind them.
import type { AgentMessage, AssistantMessage, ToolCallBlock, ToolResultMessage, UserMessage } from "@chela/sdk";

/** Messages that are sent together or not at all: what a person said, or an answer with the results of its calls. */
export type Unit = readonly [UserMessage] | readonly [AssistantMessage, ...ToolResultMessage[]];

const NO_RESULT = "No result was recorded for this call.";

/** Leaves out what says nothing (failed empty answers, results without a call) and adds the results that are missing. */
export function toUnits(messages: readonly AgentMessage[]): Unit[] {
  const units: Unit[] = [];
  const usedIds = new Set<string>();
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as AgentMessage;
    if (message.role === "user" && !isEmpty(message)) units.push([message as UserMessage]);
    if (message.role !== "assistant") continue;
    if (!hasCalls(message as AssistantMessage)) {
      if (!isEmpty(message)) units.push([message as AssistantMessage]);
      continue;
    }
    const unit = answerWithResults(message as AssistantMessage, resultsBehind(messages, at), usedIds);
    if (unit) units.push(unit);
  }
  return units;
}

function hasCalls({ content }: AssistantMessage): boolean {
  return content.some((block) => block.type === "toolCall");
}

/** Something may stand between a call and its result, but never another answer. */
function resultsBehind(messages: readonly AgentMessage[], at: number): Map<string, ToolResultMessage[]> {
  const results = new Map<string, ToolResultMessage[]>();
  for (let next = at + 1; next < messages.length && messages[next]?.role !== "assistant"; next++) {
    const message = messages[next] as AgentMessage;
    if (message.role !== "toolResult") continue;
    const result = message as ToolResultMessage;
    const before = results.get(result.toolCallId);
    if (before) before.push(result);
    else results.set(result.toolCallId, [result]);
  }
  return results;
}

/** Takes the results out of `found`, the first for the first call of that id; what is left over has no call. */
function answerWithResults(
  answer: AssistantMessage,
  found: ReadonlyMap<string, ToolResultMessage[]>,
  usedIds: Set<string>,
): Unit | undefined {
  const results: ToolResultMessage[] = [];
  const content = answer.content.flatMap((block): AssistantMessage["content"] => {
    if (block.type !== "toolCall") return [block];
    const call = block as ToolCallBlock;
    const result = found.get(call.id)?.shift();
    // A call that was broken off may be incomplete.
    if (!result && isBrokenOff(answer)) return [];
    const id = freeId(call.id, usedIds);
    results.push(result ? withId(result, id) : missingResult(call, id, answer.timestamp));
    return [id === call.id ? call : { ...call, id }];
  });
  const isSame = content.length === answer.content.length && content.every((block, at) => block === answer.content[at]);
  const sent = isSame ? answer : { ...answer, content };
  return isEmpty(sent) ? undefined : [sent, ...results];
}

/** Some models number their calls anew in each answer; providers want ids that are unique in the request. */
function freeId(id: string, usedIds: Set<string>): string {
  let free = id;
  for (let copy = 2; usedIds.has(free); copy++) free = `${id}_${copy}`;
  usedIds.add(free);
  return free;
}

function withId(result: ToolResultMessage, id: string): ToolResultMessage {
  return result.toolCallId === id ? result : { ...result, toolCallId: id };
}

function missingResult(call: ToolCallBlock, id: string, timestamp: number): ToolResultMessage {
  const content = [{ type: "text" as const, text: NO_RESULT }];
  return { role: "toolResult", toolCallId: id, toolName: call.name, content, isError: true, timestamp };
}

function isBrokenOff({ stopReason }: AssistantMessage): boolean {
  return stopReason === "error" || stopReason === "aborted";
}

function isEmpty(message: UserMessage | AssistantMessage): boolean {
  if (typeof message.content === "string") return message.content === "";
  const blocks: readonly { readonly type: string }[] = message.content;
  const dropsThinking = message.role === "assistant" && isBrokenOff(message as AssistantMessage);
  return blocks.every(
    (block) => ("text" in block && block.text === "") || (dropsThinking && block.type === "thinking"),
  );
}
