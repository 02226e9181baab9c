// Turns a session query into SQL that the indexes can answer.
import type { SQLInputValue } from "node:sqlite";
import type { SessionQuery } from "@chela/sdk";

export function sessionSelect(query: SessionQuery): { sql: string; values: SQLInputValue[] } {
  const where: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...more: SQLInputValue[]): void => {
    where.push(condition);
    values.push(...more);
  };
  if (!query.includeHidden) add("hidden = 0");
  if (!query.includeGlobal) add("kind <> 'global'");
  if (!query.includeUnknown) add("kind <> 'unknown'");
  if (query.agentId !== undefined) add("agent_id = ?", query.agentId);
  if (query.label !== undefined) add("label = ?", query.label);
  if (query.spawnedBy !== undefined) add("spawned_by = ?", query.spawnedBy);
  if (query.updatedSince !== undefined) add("updated_at >= ?", query.updatedSince);
  if (query.search) {
    const pattern = `%${query.search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
    const fields = ["key", "session_id", "label", "entry ->> 'displayName'", "entry ->> 'subject'"];
    add(`(${fields.map((field) => `lower(${field}) LIKE ? ESCAPE '\\'`).join(" OR ")})`, ...fields.map(() => pattern));
  }
  values.push(query.limit ?? -1, query.offset ?? 0);
  const filter = where.length > 0 ? `WHERE ${where.join(" AND ")}` : "";
  return { sql: `SELECT key, entry FROM sessions ${filter} ORDER BY updated_at DESC LIMIT ? OFFSET ?`, values };
}
