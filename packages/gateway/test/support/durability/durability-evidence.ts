// Looks at what a gateway left on the disk, without any of its code, and says in sentences what is wrong there.
import { createHash, createHmac } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { answerText, questionsIn, type AskedMessage } from "./durability-model.ts";

type Entry = Record<string, unknown> & { readonly type?: string; readonly id?: string };
interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly toolCallId?: string;
  readonly isError?: boolean;
}

export function textOf({ content }: { readonly content: unknown }): string {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? (content as ReadonlyArray<{ text?: unknown }>) : [];
  return blocks.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}

function blocksOf({ content }: Message): ReadonlyArray<{ readonly type?: unknown; readonly id?: unknown }> {
  return Array.isArray(content) ? content : [];
}

function callsOf(message: Message): string[] {
  return blocksOf(message)
    .filter(({ type }) => type === "toolCall")
    .map(({ id }) => String(id));
}

/** Every question is asked once and answered once, in full. */
export function findExchangeFaults(messages: readonly Message[], questions: Iterable<string>): string[] {
  const asked = new Map<string, number>();
  const answered = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const faults: string[] = [];
  for (const message of messages) {
    const text = textOf(message);
    if (message.role === "user") for (const name of questionsIn(text)) count(asked, name);
    if (message.role !== "assistant" || callsOf(message).length > 0) continue;
    const [name = "nothing"] = questionsIn(text);
    if (text === answerText(name)) count(answered, name);
    else faults.push(`an answer is not whole: ${JSON.stringify(message)}`);
  }
  for (const name of questions) {
    if (asked.get(name) !== 1) faults.push(`${name} stands ${asked.get(name) ?? 0} times in the transcript`);
    if (answered.get(name) !== 1) faults.push(`${name} was answered ${answered.get(name) ?? 0} times`);
  }
  return faults;
}

/** A question, the calls with their results, an answer; then the next question. */
export function findTurnFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  let open: string | undefined;
  const waiting = new Set<string>();
  for (const message of messages) {
    if (message.role === "user") {
      if (open) faults.push(`${textOf(message)} begins before ${open} was answered`);
      open = textOf(message);
    } else if (message.role === "toolResult") {
      const id = String(message.toolCallId);
      if (!waiting.delete(id)) faults.push(`the result of ${id} belongs to no open call`);
    } else {
      if (!open) faults.push(`nobody asked for ${textOf(message)}`);
      if (waiting.size > 0) faults.push(`no result of ${[...waiting].join(", ")}`);
      for (const id of callsOf(message)) waiting.add(id);
      if (callsOf(message).length === 0) open = undefined;
    }
  }
  if (waiting.size > 0) faults.push(`no result of ${[...waiting].join(", ")}`);
  return faults;
}

/** What a provider refuses: results anywhere but right behind their calls, or ids that are there twice. */
export function findRequestFaults(messages: readonly AskedMessage[]): string[] {
  const faults: string[] = [];
  const waiting = new Set<string>();
  const seen = new Set<string>();
  for (const { role, tool_calls: calls = [], tool_call_id: resultOf = "" } of messages) {
    if (role === "tool" && !waiting.delete(resultOf)) faults.push(`a result of ${resultOf} that nobody called`);
    if (role === "tool") continue;
    if (waiting.size > 0) faults.push(`no result of ${[...waiting].join(", ")}`);
    waiting.clear();
    for (const { id } of calls) {
      if (seen.has(id)) faults.push(`two calls are ${id}`);
      seen.add(id);
      waiting.add(id);
    }
  }
  if (waiting.size > 0) faults.push(`no result of ${[...waiting].join(", ")}`);
  return faults;
}

export interface FinishedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly isError: boolean;
}

/** The calls of a transcript with what came of them. An id is good for one answer only. */
export function readCalls(messages: readonly Message[]): FinishedCall[] {
  const open = new Map<string, Omit<FinishedCall, "result" | "isError">>();
  return messages.flatMap((message): FinishedCall[] => {
    for (const block of blocksOf(message)) if (block.type === "toolCall") open.set(String(block.id), block as never);
    const call = message.role === "toolResult" ? open.get(String(message.toolCallId)) : undefined;
    if (!call) return [];
    return [{ name: call.name, arguments: call.arguments, result: textOf(message), isError: message.isError === true }];
  });
}

export interface TranscriptFile {
  readonly key: string;
  readonly path: string;
  readonly messages: readonly Message[];
  readonly faults: readonly string[];
}

/** The transcripts that sessions.json names, by session key; none while there is no index. Throws when it is no JSON. */
export function readMirror(stateDir: string, agentId = "main"): Map<string, TranscriptFile> {
  const directory = join(stateDir, "agents", agentId, "sessions");
  const indexPath = join(directory, "sessions.json");
  if (!existsSync(indexPath)) return new Map();
  const index = JSON.parse(readFileSync(indexPath, "utf8")) as Record<string, Entry>;
  return new Map(
    Object.entries(index).map(([key, entry]) => {
      const path = join(directory, basename(String(entry["sessionFile"] ?? `${String(entry["sessionId"])}.jsonl`)));
      return [key, { key, ...readTranscriptFile(path) }];
    }),
  );
}

function readTranscriptFile(path: string): Omit<TranscriptFile, "key"> {
  if (!existsSync(path)) return { path, messages: [], faults: [`${path} is missing`] };
  const faults: string[] = [];
  const lines = readFileSync(path, "utf8").split("\n");
  if (lines.pop() !== "") faults.push("the last line has no end");
  const entries = lines.flatMap((line, index): Entry[] => {
    try {
      return [JSON.parse(line) as Entry];
    } catch {
      faults.push(`line ${index + 1} is torn: ${line.slice(0, 80)}`);
      return [];
    }
  });
  const [header, ...rest] = entries;
  if (header?.type !== "session") faults.push("the first line is no header");
  let parent: unknown = null;
  for (const entry of rest) {
    if (entry["parentId"] !== parent) faults.push(`${entry.id} does not follow the entry before it`);
    parent = entry.id;
  }
  if (new Set(rest.map(({ id }) => id)).size !== rest.length) faults.push("two entries have one id");
  const messages = rest.filter(({ type }) => type === "message").map((entry) => entry["message"] as Message);
  return { path, messages, faults };
}

/** All that is wrong in the files: the lines, the turns, the questions of each session. */
export function findMirrorFaults(stateDir: string, questions: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const mirror = readMirror(stateDir);
  const missing = [...questions.keys()]
    .filter((key) => !mirror.has(key))
    .map((key) => `${key} is not in sessions.json`);
  const inFiles = [...mirror.values()].flatMap(({ key, messages, faults }) =>
    [...faults, ...findTurnFaults(messages), ...findExchangeFaults(messages, questions.get(key) ?? [])].map(
      (fault) => `${key}: ${fault}`,
    ),
  );
  return [...missing, ...inFiles];
}

/** All that is wrong in the ledger of a gateway with nothing left to do. */
export function findLedgerFaults(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const integrity = database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => String(row["integrity_check"]));
    const counts: ReadonlyArray<readonly [what: string, sql: string]> = [
      ["messages without an answer", "SELECT count(*) AS n FROM inbox WHERE state < 2"],
      ["turns without an end", "SELECT count(*) AS n FROM turns WHERE ended_at IS NULL OR outcome IS NULL"],
      ["tool calls without an end", "SELECT count(*) AS n FROM tool_calls WHERE ended_at IS NULL"],
      ["replies not delivered", "SELECT count(*) AS n FROM outbox WHERE state <> 'delivered'"],
    ];
    const faults = integrity.filter((text) => text !== "ok");
    for (const [what, sql] of counts) {
      const count = Number(database.prepare(sql).get()?.["n"]);
      if (count > 0) faults.push(`${count} ${what}`);
    }
    return faults;
  } finally {
    database.close();
  }
}

/** Whether everything that was done has its one event, and each event follows from the one before it. */
export function findAuditFaults(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const events = (action: string, about: string) =>
      `(SELECT count(*) FROM audit WHERE action = '${action}' AND ${about})`;
    const toolEvents = events("tool", "trace_id = t.run_id AND json_extract(detail, '$.toolCallId') = t.tool_call_id");
    const sent = events("delivery", "json_extract(detail, '$.id') = o.id");
    const counts: ReadonlyArray<readonly [what: string, sql: string]> = [
      ["tool calls without one event", `SELECT count(*) AS n FROM tool_calls t WHERE ${toolEvents} <> 1`],
      ["deliveries without one event", `SELECT count(*) AS n FROM outbox o WHERE state = 'delivered' AND ${sent} <> 1`],
    ];
    const faults = counts.flatMap(([what, sql]) => {
      const count = Number(database.prepare(sql).get()?.["n"]);
      return count > 0 ? [`${count} ${what}`] : [];
    });
    const keyPath = join(dirname(path), "identity", "audit.key");
    const key = existsSync(keyPath) ? Buffer.from(readFileSync(keyPath, "utf8").trim(), "hex") : undefined;
    let before = { seq: 0, hash: "0".repeat(64) };
    for (const row of database.prepare("SELECT * FROM audit ORDER BY seq").all()) {
      const known = [
        "seq",
        "at",
        "action",
        "actor",
        "target",
        "outcome",
        "agent_id",
        "session_key",
        "channel",
        "trace_id",
      ];
      const text = `${before.hash}\n${JSON.stringify(known.map((name) => row[name]))}\n${String(row["detail"])}`;
      const link = key
        ? createHmac("sha256", key).update(text).digest("hex")
        : createHash("sha256").update(text).digest("hex");
      if (row["seq"] !== before.seq + 1 || row["hash"] !== link) faults.push(`event ${row["seq"]} does not follow`);
      before = { seq: Number(row["seq"]), hash: String(row["hash"]) };
    }
    return faults;
  } finally {
    database.close();
  }
}

export function countRuns(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(database.prepare("SELECT count(*) AS n FROM inbox").get()?.["n"]);
  } finally {
    database.close();
  }
}

/** Names in a directory of an agent's sessions that begin with `prefix`. */
export function listSessionFiles(stateDir: string, prefix: string, agentId = "main"): string[] {
  return readdirSync(join(stateDir, "agents", agentId, "sessions")).filter((name) => name.startsWith(prefix));
}
