// What the ledger of a gateway knows of messages and replies, read while the gateway runs or after it was killed.
import { DatabaseSync } from "node:sqlite";

/** A gateway that has just started may be putting the ledger in order. */
const BUSY_MS = 5000;

interface ReplyRow {
  readonly id: string;
  readonly channel: string;
  readonly state: string;
  readonly attempts: number;
  readonly text: string;
}

export function readReplies(path: string, state?: "pending" | "undeliverable"): ReplyRow[] {
  return query(path, "SELECT * FROM outbox WHERE ?1 IS NULL OR state = ?1 ORDER BY rowid", state ?? null).map(
    (row) => ({
      id: String(row["id"]),
      channel: String(row["channel"]),
      state: String(row["state"]),
      attempts: Number(row["attempts"]),
      text: textOf(JSON.parse(String(row["payload"])) as Payload),
    }),
  );
}

/** The texts of all messages that were taken from a channel. */
export function readAdmitted(path: string, channel: string): string[] {
  const rows = query(path, "SELECT body FROM inbox WHERE channel = ? ORDER BY rowid", channel);
  return rows.map(({ body }) => String((JSON.parse(String(body)) as { text: unknown }).text));
}

export function countUnanswered(path: string): number {
  return Number(query(path, "SELECT count(*) AS n FROM inbox WHERE state < 2")[0]?.["n"]);
}

interface Payload {
  readonly content?: { readonly markdown?: string };
}

function textOf({ content }: Payload): string {
  return content?.markdown ?? "";
}

function query(path: string, sql: string, ...values: Array<string | null>): Array<Record<string, unknown>> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}
