// Questions in SQL: what the views say, and that nothing else can be read or done.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../sqlite/open.ts";
import { VIEWS } from "./definitions.ts";
import { queryLedger, type QueryValue } from "./query.ts";

let folder: string;
let path: string;
/** A gateway that has the ledger open. */
let writer: DatabaseSync;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chela-sql-"));
  path = join(folder, "ledger.sqlite");
  writer = openDatabase(path);
  const put = (sql: string, ...values: (string | number | null)[]) => writer.prepare(sql).run(...values);
  put(
    "INSERT INTO sessions (key, agent_id, session_id, updated_at, kind, hidden, label, entry, created_at, tokens) VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?)",
    "agent:main:main",
    "main",
    "s1",
    2_000,
    "main",
    "Home",
    '{"displayName":"At home","model":"m1"}',
    1_000,
    77,
  );
  put(
    "INSERT INTO transcripts (id, session_id, session_key, agent_id, header, file) VALUES (1, 's1', 'agent:main:main', 'main', '{}', 'f')",
  );
  const said = (id: string, parentId: string | null, message: object) =>
    put(
      "INSERT INTO entries (transcript, entry_id, line) VALUES (1, ?, ?)",
      id,
      JSON.stringify({ type: "message", id, parentId, timestamp: "2026-01-02T03:04:05.678Z", message }),
    );
  said("a", null, { role: "user", content: "hello" });
  const parts = [
    { type: "thinking", thinking: "hidden" },
    { type: "text", text: "one" },
    { type: "toolCall", name: "x" },
    { type: "text", text: "two" },
  ];
  said("b", "a", { role: "assistant", content: parts, model: "m1", stopReason: "stop" });
  put(
    "INSERT INTO inbox (run_id, channel, account, message_id, agent_id, session_key, body, state, admitted_at) VALUES ('r1', 'irc', 'default', 'm', 'main', 'agent:main:main', '{}', 2, 5)",
  );
  put(
    "INSERT INTO turns (run_id, session_id, started_at, ended_at, outcome, status) VALUES ('r1', 's1', 6, 9, '{}', 'ok')",
  );
  put(`INSERT INTO tool_calls VALUES ('r1', 'c1', 'read', '{"path":"a.txt"}', 7, 8, 0)`);
  put(
    "INSERT INTO usage (at, agent_id, session_key, run_id, provider, model, input, output, cache_read, cache_write, input_cost, output_cost) VALUES (9, 'main', 'agent:main:main', 'r1', 'p', 'm1', 10, 20, 0, 0, 0.25, 0.5)",
  );
  put(
    "INSERT INTO outbox (id, run_id, channel, account, recipient, payload, created_at, state) VALUES ('r1:0', 'r1', 'irc', 'default', 'ann', '{\"text\":\"hi\"}', 9, 'delivered')",
  );
  put("INSERT INTO ledger_values VALUES ('secret', 'canary')");
});
afterAll(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const rowsOf = (sql: string, most = 100): ReadonlyArray<readonly QueryValue[]> => {
  const answer = queryLedger(path, sql, most);
  if (answer.kind === "refused") throw new Error(answer.why);
  return answer.rows;
};

describe("a question", () => {
  it.each<[string, QueryValue[][]]>([
    [
      "select session_key, display_name, model, total_tokens, created_at from sessions",
      [["agent:main:main", "At home", "m1", 77, 1_000]],
    ],
    [
      "select id, parent_id, role, content, at from turns order by seq",
      [
        ["a", null, "user", "hello", 1_767_323_045_678],
        ["b", "a", "assistant", "one\ntwo", 1_767_323_045_678],
      ],
    ],
    ["select status, session_id, ended_at - started_at from runs", [["ok", "s1", 3]]],
    [
      "select name, arguments ->> 'path', is_error, session_key from tool_calls",
      [["read", "a.txt", 0, "agent:main:main"]],
    ],
    ["select model, sum(cost), sum(output_tokens) from costs group by model", [["m1", 0.75, 20]]],
    ["select recipient, content, state, session_key from deliveries", [["ann", "hi", "delivered", "agent:main:main"]]],
    ["with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) select i from n", [[1], [2], [3]]],
    ["with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) select count(*) from n", [[3]]],
    ["select value from json_each('[1,2]')", [[1], [2]]],
    [
      "select count(*), s.label, t.role from turns t join sessions s using (session_id) group by t.role",
      [
        [1, "Home", "assistant"],
        [1, "Home", "user"],
      ],
    ],
    ["select 1 as a, 2 as a, x'00ff'", [[1, 2, "00ff"]]],
  ])("%s", (sql, wanted) => {
    expect(rowsOf(sql)).toEqual(wanted);
  });

  it("finds every column that the reference names", () => {
    for (const { name, columns } of VIEWS) {
      const answer = queryLedger(path, `select * from ${name}`, 1);
      expect(answer).toMatchObject({ columns: columns.map((column) => column.name) });
      expect(() => rowsOf(`select ${columns.map((column) => column.name).join(", ")} from ${name}`)).not.toThrow();
    }
  });

  it("is answered with as many rows as were asked for", () => {
    expect(queryLedger(path, "select id from turns", 1)).toMatchObject({ rows: [["a"]], hasMore: true });
    expect(queryLedger(path, "select id from turns", 2)).toMatchObject({ hasMore: false });
  });

  it.each([
    "select value from ledger_values",
    "select * from main.sessions",
    "select entry from main.sessions",
    "select line from entries",
    "select * from sqlite_schema",
    "select * from temp.sqlite_schema",
    "select * from pragma_table_info('sessions')",
    "select (select value from ledger_values) from sessions",
    "with sessions as (select * from ledger_values) select * from sessions",
    "with sessions as (select * from main.sessions) select * from sessions",
    "with inner_sessions as (select * from ledger_values) select * from inner_sessions",
    "select x.value from (select * from ledger_values) x",
    "select count(*) from ledger_values",
    "select count(key) from main.sessions",
    "select 1 from audit",
    "select count(*) from sqlite_schema",
    "select count(*) from pragma_database_list",
    "explain select * from main.sessions",
    "select * from people",
    "select * from audit",
    "select load_extension('/tmp/x.so')",
    "delete from sessions",
    "update main.sessions set label = 'x'",
    "insert into sessions values (1)",
    "create table x (a)",
    "create temp view sessions2 as select * from main.ledger_values",
    "drop view sessions",
    "attach database ':memory:' as other",
    "vacuum into '/tmp/chela-sql-copy'",
    "pragma query_only = off",
    "pragma database_list",
    "begin",
    "select 1; delete from sessions",
    "select 1 /* ; */; select 2",
    "",
    "not sql",
    "select nothing from sessions",
  ])("is refused, and nothing was read or done: %s", (sql) => {
    const before = readFileSync(path);
    const answer = queryLedger(path, sql, 10);
    expect(answer.kind, JSON.stringify(answer)).toBe("refused");
    if (answer.kind === "refused" && sql.startsWith("delete"))
      expect(answer.why).toMatch(/^only the views can be read/);
    expect(JSON.stringify(answer)).not.toContain("canary");
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(rowsOf("select count(*) from sessions")).toEqual([[1]]);
  });

  it("may end with a semicolon and a remark", () => {
    expect(rowsOf("select ';--' ; -- one; only\n /* nothing; more")).toEqual([[";--"]]);
  });

  it("sees what a gateway commits while it is running", () => {
    writer.prepare("UPDATE sessions SET label = 'Other'").run();
    expect(rowsOf("select label from sessions")).toEqual([["Other"]]);
    writer.prepare("UPDATE sessions SET label = 'Home'").run();
  });
});
