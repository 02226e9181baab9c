// Views of the ledger for SQL: a few whose names and columns stay, whatever the tables become.

interface ViewColumn {
  readonly name: string;
  readonly type: "TEXT" | "INTEGER" | "REAL";
  /** For the reference. */
  readonly says: string;
  /** An expression over the tables of `from`. */
  readonly sql: string;
}

export interface LedgerView {
  readonly name: string;
  readonly says: string;
  readonly from: string;
  readonly columns: readonly ViewColumn[];
}

const text = (name: string, says: string, sql: string): ViewColumn => ({ name, type: "TEXT", says, sql });
const whole = (name: string, says: string, sql: string): ViewColumn => ({ name, type: "INTEGER", says, sql });
const real = (name: string, says: string, sql: string): ViewColumn => ({ name, type: "REAL", says, sql });

const MS = "in milliseconds since 1970";
/** What people said and were told: the texts of a message, whether it was written as one or as a list of parts. */
const CONTENT = `CASE json_type(e.line, '$.message.content')
  WHEN 'text' THEN e.line ->> '$.message.content'
  WHEN 'array' THEN (SELECT group_concat(p.value ->> 'text', char(10)) FROM json_each(e.line, '$.message.content') p
    WHERE p.type = 'object' AND p.value ->> 'type' = 'text')
  ELSE coalesce(e.line ->> '$.summary', e.line ->> '$.content') END`;

export const VIEWS: readonly LedgerView[] = [
  {
    name: "sessions",
    says: "One row for each conversation that is there now.",
    from: "main.sessions s",
    columns: [
      text("session_key", "The key by which everybody names the conversation", "s.key"),
      text("session_id", "Changes when the conversation starts anew", "s.session_id"),
      text("agent_id", "Whose conversation it is", "s.agent_id"),
      text("kind", "direct, group, main, cron and so on", "s.kind"),
      text("label", "The name it was given", "s.label"),
      text("display_name", "What it is called in lists", "s.entry ->> 'displayName'"),
      text("channel", "Where it was last spoken in", "s.channel"),
      text(
        "model",
        "The model chosen for it, or last used",
        "coalesce(s.entry ->> 'modelOverride', s.entry ->> 'model')",
      ),
      text("spawned_by", "The conversation that started it", "s.spawned_by"),
      whole("total_tokens", "Size of its context at the last turn", "s.tokens"),
      whole("created_at", `When it began, ${MS}`, "s.created_at"),
      whole("updated_at", `When something last happened in it, ${MS}`, "s.updated_at"),
    ],
  },
  {
    name: "turns",
    says: "One row for each entry of each transcript, ended conversations included: messages, tool results, summaries, changes.",
    from: "main.entries e JOIN main.transcripts t ON t.id = e.transcript",
    columns: [
      text("id", "Known within its conversation", "e.entry_id"),
      text("session_id", "The conversation, between two fresh starts", "t.session_id"),
      text("session_key", "The conversation", "t.session_key"),
      text("agent_id", "Whose conversation it is", "t.agent_id"),
      whole("seq", "The order in which entries were written, over all conversations", "e.seq"),
      text("parent_id", "The entry it follows; two that follow the same one are branches", "e.line ->> '$.parentId'"),
      text("type", "message, compaction, model_change, custom and so on", "e.line ->> '$.type'"),
      text("role", "user, assistant or toolResult; empty for what is no message", "e.line ->> '$.message.role'"),
      text("content", "What was said, without thoughts, calls and pictures", CONTENT),
      text("tool_name", "The tool a result is of", "e.line ->> '$.message.toolName'"),
      text("tool_call_id", "The call a result answers", "e.line ->> '$.message.toolCallId'"),
      text("provider", "Who ran the model that answered", "e.line ->> '$.message.provider'"),
      text("model", "The model that answered", "e.line ->> '$.message.model'"),
      text("stop_reason", "Why an answer ended", "e.line ->> '$.message.stopReason'"),
      whole(
        "at",
        `When it was written, ${MS}`,
        "CAST(unixepoch(e.line ->> '$.timestamp', 'subsec') * 1000 AS INTEGER)",
      ),
      whole("archived_at", `When its conversation was ended or deleted, ${MS}`, "t.archived_at"),
    ],
  },
  {
    name: "runs",
    says: "One row for each message that was accepted, and what became of it.",
    from: "main.inbox i LEFT JOIN main.turns r ON r.run_id = i.run_id",
    columns: [
      text("run_id", "Named by tool calls, costs and deliveries", "i.run_id"),
      text("session_key", "The conversation", "i.session_key"),
      text("session_id", "The conversation, between two fresh starts", "r.session_id"),
      text("agent_id", "Who answers", "i.agent_id"),
      text("channel", "Where it came from", "i.channel"),
      text("account", "The account it came to", "i.account"),
      text(
        "state",
        "queued, running or done",
        "CASE i.state WHEN 0 THEN 'queued' WHEN 1 THEN 'running' ELSE 'done' END",
      ),
      text("status", "How it ended: ok, error, aborted; empty while it runs", "r.status"),
      whole("admitted_at", `When it was accepted, ${MS}`, "i.admitted_at"),
      whole("started_at", `When work on it began, ${MS}`, "r.started_at"),
      whole("ended_at", `When it was over, ${MS}`, "r.ended_at"),
    ],
  },
  {
    name: "tool_calls",
    says: "One row for each call of a tool.",
    from: "main.tool_calls c LEFT JOIN main.inbox i ON i.run_id = c.run_id LEFT JOIN main.turns r ON r.run_id = c.run_id",
    columns: [
      text("run_id", "The run it belongs to", "c.run_id"),
      text("tool_call_id", "The model's own name for the call", "c.tool_call_id"),
      text("session_key", "The conversation", "i.session_key"),
      text("session_id", "The conversation, between two fresh starts", "r.session_id"),
      text("agent_id", "Who called it", "i.agent_id"),
      text("name", "The tool", "c.name"),
      text("arguments", "As JSON: `arguments ->> 'path'`", "c.args"),
      whole("is_error", "1 when it failed or was refused; empty while it runs", "c.is_error"),
      whole("started_at", `When it began, ${MS}`, "c.started_at"),
      whole("ended_at", `When it was over, ${MS}`, "c.ended_at"),
    ],
  },
  {
    name: "costs",
    says: "One row for each answer of a model.",
    from: "main.usage u",
    columns: [
      whole("at", `When, ${MS}`, "u.at"),
      text("agent_id", "Who asked the model", "u.agent_id"),
      text("session_key", "The conversation", "u.session_key"),
      text("run_id", "The run it belongs to", "u.run_id"),
      text("channel", "Where the run came from", "nullif(u.channel, '')"),
      text("person", "For whom it was", "nullif(u.person, '')"),
      text("job", "The job it was for", "nullif(u.job, '')"),
      text("provider", "Who ran the model", "u.provider"),
      text("model", "The model", "u.model"),
      whole("input_tokens", "Read, without what came from a cache", "u.input"),
      whole("output_tokens", "Written", "u.output"),
      whole("cache_read_tokens", "Read from the provider's cache", "u.cache_read"),
      whole("cache_write_tokens", "Put into the provider's cache", "u.cache_write"),
      real(
        "cost",
        "In US dollars; empty where no price is known",
        "CASE WHEN coalesce(u.input_cost, u.output_cost, u.cache_read_cost, u.cache_write_cost) IS NOT NULL THEN " +
          "coalesce(u.input_cost, 0) + coalesce(u.output_cost, 0) + coalesce(u.cache_read_cost, 0) + coalesce(u.cache_write_cost, 0) END",
      ),
    ],
  },
  {
    name: "deliveries",
    says: "One row for each message of ours that went, or is to go, to a channel.",
    from: "main.outbox o LEFT JOIN main.inbox i ON i.run_id = o.run_id",
    columns: [
      text("id", "Known by `chela deliveries`", "o.id"),
      text("run_id", "The run whose answer it is", "o.run_id"),
      text("session_key", "The conversation", "i.session_key"),
      text("channel", "Where it goes", "o.channel"),
      text("account", "By which of our accounts", "o.account"),
      text("recipient", "To whom, in the channel's own words", "o.recipient"),
      text("content", "The text of it", "o.payload ->> '$.text'"),
      text("state", "pending, sending, delivered, undeliverable and so on", "o.state"),
      whole("attempts", "How often it was tried", "o.attempts"),
      text("error", "What the last attempt failed of", "o.error"),
      whole("created_at", `When it was committed, ${MS}`, "o.created_at"),
      whole("updated_at", `When something last became of it, ${MS}`, "o.updated_at"),
    ],
  },
];

/** For one connection: the view that reads the tables, by a name that begins with `inner`, and the one that is asked. */
export function createViewSql({ name, from, columns }: LedgerView, inner: string): string[] {
  const shown = columns.map(({ name: column, sql }) => `${sql} AS "${column}"`);
  return [
    `CREATE TEMP VIEW "${inner}_${name}" AS SELECT ${shown.join(", ")} FROM ${from}`,
    `CREATE TEMP VIEW "${name}" AS SELECT * FROM temp."${inner}_${name}"`,
  ];
}
