// Answers of the tool `exec`: the words for the model and the details for clients.
import type { ToolOutput } from "@chela/sdk";
import type { CommandSession } from "./command-session.ts";

/** Less than the most a tool result may hold, so that nobody cuts the end off afterwards. */
const ANSWER_CHARS = 90_000;
const TAIL_CHARS = 2_000;

export function answer(text: string, details: unknown, isError = false): ToolOutput {
  return { content: [{ type: "text", text }], details, ...(isError ? { isError } : {}) };
}

export function describeRunning(session: CommandSession): ToolOutput {
  const printed = session.output.takePending().trimEnd();
  const where = `session ${session.id}, pid ${session.pid ?? "unknown"}`;
  const what = session.lingers
    ? "The command ended, but something it started is still running"
    : "Command still running";
  const text = `${what} (${where}). Use the tool process with this sessionId to follow, write to or kill it.`;
  return answer(printed ? `${printed}\n\n${text}` : text, {
    status: "running",
    sessionId: session.id,
    pid: session.pid,
    startedAt: session.startedAt,
    cwd: session.cwd,
    tail: session.output.tail(TAIL_CHARS),
  });
}

export function describeEnded(session: CommandSession): ToolOutput {
  const exitCode = session.exit?.exitCode ?? null;
  const isFailure = session.stopReason !== undefined || exitCode === null || exitCode === 126 || exitCode === 127;
  const printed = session.output.text(ANSWER_CHARS).trimEnd() || "(no output)";
  const note = noteOf(session);
  return answer(
    note ? `${printed}\n\n(${note})` : printed,
    {
      status: isFailure ? "failed" : "completed",
      exitCode,
      durationMs: session.durationMs,
      aggregated: session.output.text(),
      cwd: session.cwd,
    },
    isFailure,
  );
}

/** How it ended, unless it simply succeeded. */
export function noteOf(session: CommandSession): string | undefined {
  const { exitCode, signal } = session.exit ?? { exitCode: null, signal: null };
  const seconds = Math.round(session.durationMs / 1000);
  switch (session.stopReason) {
    case "timeout":
      return `Command was stopped because its time was up after ${seconds} s; give a longer timeout or run it in the background`;
    case "turn-stopped":
      return "Command was stopped together with the turn";
    case "killed":
      return "Command was killed";
    case "gateway-stop":
      return "Command was stopped because the gateway stops";
    case undefined:
      if (exitCode === null) return `Command was ended by ${signal ?? "a signal"}`;
      return exitCode === 0 ? undefined : `Command exited with code ${exitCode}`;
  }
}
