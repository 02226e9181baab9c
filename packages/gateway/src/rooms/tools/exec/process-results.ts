// Answers of the tool `process`: the words for the model and the details for clients.
import type { ToolOutput } from "@chela/sdk";
import type { CommandSession } from "./command-session.ts";
import { answer, noteOf } from "./exec-results.ts";

const LOG_LINES = 200;
const LOG_CHARS = 90_000;
const TAIL_CHARS = 2_000;
const COMMAND_CHARS = 120;

export function describeList(sessions: readonly CommandSession[]): ToolOutput {
  const rows = sessions.map(
    (session) =>
      `${session.id}  ${session.state}  ${Math.round(session.durationMs / 1000)} s  ${shorten(session.command)}`,
  );
  return answer(rows.join("\n") || "No background commands.", {
    status: "completed",
    sessions: sessions.map((session) => ({
      sessionId: session.id,
      status: session.state,
      pid: session.pid,
      startedAt: session.startedAt,
      durationMs: session.durationMs,
      cwd: session.cwd,
      command: session.command,
      exitCode: session.exit?.exitCode,
    })),
  });
}

/** What is new since the last time, and how things stand. */
export function describeState(session: CommandSession): ToolOutput {
  const news = session.output.takePending().trimEnd() || "(no new output)";
  const how = session.exit ? (noteOf(session) ?? "Command exited with code 0") : "Command is still running";
  // All the output goes along once, at the end; an agent that polls often must not fill its transcript with copies.
  const output = session.exit
    ? { exitCode: session.exit.exitCode, durationMs: session.durationMs, aggregated: session.output.text() }
    : { pid: session.pid, tail: session.output.tail(TAIL_CHARS) };
  return answer(`${news}\n\n(${how})`, { status: session.state, sessionId: session.id, ...output });
}

/** Lines are counted from 0. Without an offset the last ones are shown. */
export function describeLog(session: CommandSession, offset: number | undefined, limit = LOG_LINES): ToolOutput {
  const lines = session.output.text().trimEnd().split(/\r?\n/);
  const first = offset ?? Math.max(0, lines.length - limit);
  const shown = lines.slice(first, first + limit);
  const text = shown.join("\n").slice(0, LOG_CHARS).toWellFormed();
  const isAll = shown.length === lines.length;
  const note = isAll
    ? ""
    : `\n\n[lines ${first} to ${first + shown.length} of ${lines.length}; offset and limit show others]`;
  const details = { status: session.state, sessionId: session.id, totalLines: lines.length, offset: first };
  return answer(`${text || "(no output)"}${note}`, details);
}

function shorten(command: string): string {
  const line = command.replaceAll(/\s+/g, " ");
  return line.length > COMMAND_CHARS ? `${line.slice(0, COMMAND_CHARS - 1)}…` : line;
}
