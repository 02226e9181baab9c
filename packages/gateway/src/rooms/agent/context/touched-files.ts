// Collects which files the tool calls of a conversation read and changed.
import * as z from "zod";
import {
  once,
  type AgentMessage,
  type AssistantMessage,
  type Parsed,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@chela/sdk";

/** As it is kept in the transcript, beside the summary. */
const CompactionDetails = once(() =>
  z.object({ readFiles: z.array(z.string()).default([]), modifiedFiles: z.array(z.string()).default([]) }),
);
export type CompactionDetails = Parsed<typeof CompactionDetails>;

/** Summaries of summaries must not grow without end. */
const MAX_FILES = 100;
const MAX_PATH_CHARS = 500;

/** `before` is what an earlier compaction remembered. A file that was changed counts as changed only. */
export function touchedFiles(messages: readonly AgentMessage[], before: unknown): CompactionDetails {
  const earlier = CompactionDetails().safeParse(before ?? {});
  const read = new Set(earlier.data?.readFiles);
  const modified = new Set(earlier.data?.modifiedFiles);
  for (const call of successfulCalls(messages)) {
    for (const path of filesOf(call)) addNewest(isReading(call) ? read : modified, path);
  }
  return {
    readFiles: [...read].filter((path) => !modified.has(path)).slice(-MAX_FILES),
    modifiedFiles: [...modified].slice(-MAX_FILES),
  };
}

function successfulCalls(messages: readonly AgentMessage[]): ToolCallBlock[] {
  const failed = new Set(
    messages.flatMap((message) =>
      message.role === "toolResult" && message.isError ? [(message as ToolResultMessage).toolCallId] : [],
    ),
  );
  return messages
    .flatMap((message) => (message.role === "assistant" ? (message as AssistantMessage).content : []))
    .filter((block): block is ToolCallBlock => block.type === "toolCall" && !failed.has((block as ToolCallBlock).id));
}

function isReading({ name }: ToolCallBlock): boolean {
  return name.toLowerCase() === "read";
}

function filesOf({ name, arguments: given }: ToolCallBlock): string[] {
  switch (name.toLowerCase()) {
    case "read":
    case "write":
    case "edit":
      return [given["path"] ?? given["file_path"]].filter(isPath);
    case "apply_patch":
      return typeof given["input"] === "string" ? filesOfPatch(given["input"]) : [];
    default:
      return [];
  }
}

function filesOfPatch(patch: string): string[] {
  const marks = patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm);
  return [...marks].map(([, path]) => path?.trim()).filter(isPath);
}

function isPath(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_PATH_CHARS && !/[\r\n<>]/.test(value);
}

function addNewest(files: Set<string>, path: string): void {
  files.delete(path);
  files.add(path);
}
