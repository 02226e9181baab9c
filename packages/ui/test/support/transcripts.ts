// Conversations as an earlier gateway leaves them: files that are taken over at the start.
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";

const BEGAN = Date.UTC(2026, 0, 1);
/** Every so often the assistant uses a tool instead of answering at once. */
const TOOL_EVERY = 10;

/** What the entry at a position says. */
export const saidAt = (at: number): string => `This is message ${at} of a long conversation.`;

/** `lengths` says how many entries each session has. */
export async function writeTranscripts(stateDir: string, lengths: Readonly<Record<string, number>>): Promise<void> {
  const directory = join(stateDir, "agents", "main", "sessions");
  mkdirSync(directory, { recursive: true });
  const index: Record<string, object> = {};
  for (const [key, entries] of Object.entries(lengths)) {
    const sessionId = crypto.randomUUID();
    const sessionFile = join(directory, `${sessionId}.jsonl`);
    index[key] = { sessionId, updatedAt: BEGAN, sessionFile };
    const file = createWriteStream(sessionFile);
    const timestamp = new Date(BEGAN).toISOString();
    file.write(`${JSON.stringify({ type: "session", version: 3, id: sessionId, timestamp, cwd: stateDir })}\n`);
    for (let at = 0; at < entries; at++) file.write(`${JSON.stringify(entryAt(at, timestamp))}\n`);
    file.end();
    await finished(file);
  }
  writeFileSync(join(directory, "sessions.json"), JSON.stringify(index));
}

function entryAt(at: number, timestamp: string): object {
  const idOf = (position: number): string => position.toString(16).padStart(8, "0");
  const message = { ...messageAt(at), timestamp: BEGAN + at };
  return { type: "message", id: idOf(at + 1), parentId: at === 0 ? null : idOf(at), timestamp, message };
}

function messageAt(at: number): object {
  const text = { type: "text", text: saidAt(at) };
  const callId = `call_${Math.floor(at / TOOL_EVERY)}`;
  const answered = {
    role: "assistant",
    api: "openai-completions",
    provider: "scripted",
    model: "test",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
  };
  switch (at % TOOL_EVERY) {
    case 1:
      return {
        ...answered,
        content: [text, { type: "toolCall", id: callId, name: "read", arguments: { path: `file-${at}.txt` } }],
        stopReason: "toolUse",
      };
    case 2:
      return { role: "toolResult", toolCallId: callId, toolName: "read", content: [text], isError: false };
    default:
      return at % 2 === 0 ? { role: "user", content: [text] } : { ...answered, content: [text], stopReason: "stop" };
  }
}
