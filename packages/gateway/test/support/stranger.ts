// The other program on a state directory: reads and writes its files as OpenClaw does.
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "@chela/sdk";
import { say, type FakeClock } from "@chela/sdk/testing";
import { eventually, type TestGateway } from "./in-process.ts";

export interface Row {
  sessionId: string;
  updatedAt: number;
  [field: string]: unknown;
}

export type Stranger = ReturnType<typeof strangerIn>;

export function strangerIn(stateDir: string) {
  const directory = join(stateDir, "agents", "main", "sessions");
  const indexPath = join(directory, "sessions.json");
  const pathOf = (sessionId: string): string => join(directory, `${sessionId}.jsonl`);
  const rows = (): Record<string, Row> => JSON.parse(readFileSync(indexPath, "utf8"));
  const change = (edit: (rows: Record<string, Row>) => void): void => {
    const all = rows();
    edit(all);
    writeFileSync(`${indexPath}.tmp`, JSON.stringify(all, null, 2));
    renameSync(`${indexPath}.tmp`, indexPath);
  };
  const rowOf = (key: string): Row => rows()[key] ?? { sessionId: "none", updatedAt: 0 };
  const lastId = (sessionId: string): string | null =>
    JSON.parse(readFileSync(pathOf(sessionId), "utf8").trimEnd().split("\n").at(-1) ?? "{}").id ?? null;
  const write = (sessionId: string, role: string, text: string, parentId: string | null, at: number): string => {
    const id = randomUUID().slice(0, 8);
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } };
    const content = [{ type: "text", text }];
    const message =
      role === "user"
        ? { role, content, timestamp: at }
        : { role, content, api: "x", provider: "p", model: "m", usage, stopReason: "stop", timestamp: at };
    const timestamp = new Date(at).toISOString();
    appendFileSync(pathOf(sessionId), `${JSON.stringify({ type: "message", id, parentId, timestamp, message })}\n`);
    return id;
  };
  const begin = (sessionId: string, at: number): void => {
    const header = { type: "session", version: 3, id: sessionId, timestamp: new Date(at).toISOString(), cwd: "/x" };
    writeFileSync(pathOf(sessionId), `${JSON.stringify(header)}\n`);
  };
  return {
    directory,
    indexPath,
    pathOf,
    rows,
    rowOf,
    change,
    /** Makes the directory, with this index. */
    prepare(rows: Record<string, Row>): void {
      mkdirSync(directory, { recursive: true });
      writeFileSync(indexPath, JSON.stringify(rows, null, 2));
    },
    begin,
    lastId,
    /** One exchange, hung on `parentId` or on the file's last entry. */
    talk(sessionId: string, asked: string, answered: string, at: number, parentId?: string | null) {
      const isEmpty = readFileSync(pathOf(sessionId), "utf8").trimEnd().split("\n").length === 1;
      const parent = parentId === undefined ? (isEmpty ? null : lastId(sessionId)) : parentId;
      const user = write(sessionId, "user", asked, parent, at);
      write(sessionId, "assistant", answered, user, at + 1);
    },
  };
}

export async function history(gateway: TestGateway, sessionKey: string): Promise<string[]> {
  const client = await gateway.connect();
  const { messages } = await client.call("chat.history", { sessionKey });
  await client.close();
  return messages.map((one: { content: unknown }) => textOf(one as never).replace(/^\[.*?\] /, ""));
}

export async function listed(gateway: TestGateway): Promise<Map<string, Row>> {
  const client = await gateway.connect();
  const { sessions } = await client.call("sessions.list", { includeGlobal: true });
  await client.close();
  return new Map(sessions.map((row: Row & { key: string }) => [row.key, row]));
}

export async function talkHere(gateway: TestGateway, sessionKey: string, text: string, answer: string): Promise<void> {
  const client = await gateway.connect();
  gateway.model.script(say(answer));
  await client.agent(text, { sessionKey });
  await client.close();
}

/** Lets time pass until the mirror has written this session's row. */
export async function mirrored(clock: FakeClock, stranger: Stranger, key: string): Promise<void> {
  await eventually(`${key} is in the index`, async () => {
    await clock.advance(1_000);
    return existsSync(stranger.indexPath) && stranger.rowOf(key).sessionId !== "none";
  });
}
