// Session files as another OpenClaw program leaves them, before a gateway of ours ever ran.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerText, questionText } from "./durability-model.ts";

export interface OldSession {
  readonly key: string;
  readonly sessionId: string;
  readonly questions: readonly string[];
  /** Added to each answer's thinking, to make the file long. */
  readonly padding?: number;
}

const STARTED = Date.parse("2026-01-05T08:00:00.000Z");

export function sessionsDirectory(stateDir: string, agentId = "main"): string {
  return join(stateDir, "agents", agentId, "sessions");
}

/** Writes transcripts and the index of them; gives the path of the index. */
export function writeOldSessions(stateDir: string, sessions: readonly OldSession[]): string {
  const directory = sessionsDirectory(stateDir);
  mkdirSync(directory, { recursive: true });
  for (const session of sessions) writeFileSync(join(directory, `${session.sessionId}.jsonl`), transcriptOf(session));
  const rows = sessions.map(({ key, sessionId }, index) => [
    key,
    {
      sessionId,
      updatedAt: STARTED + index * 1000,
      chatType: "direct",
      sessionFile: join(directory, `${sessionId}.jsonl`),
    },
  ]);
  const path = join(directory, "sessions.json");
  writeFileSync(path, JSON.stringify(Object.fromEntries(rows), null, 2));
  return path;
}

function transcriptOf({ sessionId, questions, padding = 0 }: OldSession): string {
  const timestamp = new Date(STARTED).toISOString();
  const header = { type: "session", version: 3, id: sessionId, timestamp, cwd: "/home/someone" };
  let parentId: string | null = null;
  const entries = questions.flatMap((name, index) =>
    [
      { role: "user", content: [{ type: "text", text: questionText(name) }], timestamp: STARTED },
      {
        role: "assistant",
        content: [
          ...(padding > 0 ? [{ type: "thinking", thinking: "x".repeat(padding) }] : []),
          { type: "text", text: answerText(name) },
        ],
        api: "openai-completions",
        provider: "paced",
        model: "paced",
        stopReason: "stop",
        timestamp: STARTED,
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: {} },
      },
    ].map((message, part) => {
      const id = (index * 2 + part + 1).toString(16).padStart(8, "0");
      const entry = { type: "message", id, parentId, timestamp, message };
      parentId = id;
      return entry;
    }),
  );
  return [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}
