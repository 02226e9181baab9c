// Single rows of the ledger that are not what was written: they are left out and named, and everything else works.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFakeChannel } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import { runCommand } from "../support/stages/command-here.ts";
import type { Json } from "../support/wire-client.ts";

const FAKE = { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"] } };
const BROKEN = "agent:main:broken";
const IN_A_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString();

const state = createStateDirectory({ channels: FAKE });
afterAll(() => state[Symbol.dispose]());

function withTables<T>(use: (database: DatabaseSync) => T): T {
  using database = new DatabaseSync(join(state.path, "ledger.sqlite"));
  return use(database);
}

const all = (sql: string): Json[] => withTables((database) => database.prepare(sql).all() as Json[]);

const start = (fake = createFakeChannel()) =>
  startTestGateway({ stateDir: state.path, channels: { fake: fake.channel } });

/** What a job needs besides its name. */
const LATER = {
  enabled: true,
  schedule: { kind: "at", at: IN_A_YEAR },
  sessionTarget: "main",
  wakeMode: "next-heartbeat",
  payload: { kind: "systemEvent", text: "hello" },
};

beforeAll(async () => {
  {
    await using gateway = await start();
    const client = await gateway.connect();
    for (const key of ["agent:main:main", "agent:main:other", BROKEN]) await client.agent("hello", { sessionKey: key });
    for (const name of ["whole", "broken"]) await client.call("cron.add", { name, ...LATER });
    for (const id of ["anna", "bert"])
      await client.call("people.put", { person: { id, name: id, role: "member", ids: [] } });
  }
  withTables((database) =>
    database.exec(`
      UPDATE sessions SET entry = json_set(entry, '$.totalTokens', 'many') WHERE key = '${BROKEN}';
      UPDATE jobs SET job = '{"id":' WHERE name = 'broken';
      UPDATE jobs SET next_run_at = 1 WHERE name = 'broken';
      UPDATE people SET person = json_set(person, '$.role', 'king') WHERE id = 'bert';
      UPDATE inbox SET state = 1, body = '[]' WHERE session_key = '${BROKEN}';
      INSERT INTO outbox (id, run_id, channel, account, recipient, payload, created_at)
        VALUES ('bad:1', 'bad', 'fake', 'default', 'alice', '"text"', 1);
      INSERT INTO outbox (id, run_id, channel, account, recipient, payload, created_at)
        VALUES ('good:1', 'good', 'fake', 'default', 'alice', '{"content":{"kind":"text","markdown":"still to come"}}', ${Date.now()});
      INSERT INTO errands (run_id, kind, owner, agent_id, session_key, due_at, created_at, work)
        VALUES ('e1', 'cron', 'nobody', 'main', 'agent:main:main', 1, 1, 'nothing');`),
  );
});

const DAMAGED = [
  `table sessions, row key "${BROKEN}", column entry: totalTokens`,
  "table jobs, row id ",
  'table people, row id "bert", column person: role',
  'table outbox, row id "bad:1", column payload',
  'table errands, row run_id "e1", column work',
  "table inbox, row run_id ",
];

test("the gateway starts, lists what is whole, talks, sends what waits, and names each row in its log", async () => {
  const fake = createFakeChannel();
  await using gateway = await start(fake);
  const client = await gateway.connect();
  const { sessions } = await client.call("sessions.list", {});
  expect(sessions.map(({ key }: Json) => key).toSorted()).toEqual(["agent:main:main", "agent:main:other"]);
  const { jobs } = await client.call("cron.list", { includeDisabled: true });
  expect(jobs.map(({ name }: Json) => name)).toEqual(["whole"]);
  const { people } = await client.call("people.list", {});
  expect(people.map(({ id }: Json) => id)).toEqual(["anna"]);
  await expect(client.agent("and now?", { sessionKey: "agent:main:other" })).resolves.toEqual(expect.any(String));
  expect((await fake.until(1)).map(({ text }) => text)).toEqual(["still to come"]);
  for (const row of DAMAGED) expect(gateway.readLog().replaceAll('\\"', '"')).toContain(row);
});

test("whoever speaks in a damaged conversation is told which row it is, and nothing is written over it", async () => {
  const before = all(`SELECT entry FROM sessions WHERE key = '${BROKEN}'`);
  await using gateway = await start();
  const client = await gateway.connect();
  await expect(client.agent("hello?", { sessionKey: BROKEN })).rejects.toThrow(
    /table sessions, row key "agent:main:broken"/,
  );
  expect(all(`SELECT entry FROM sessions WHERE key = '${BROKEN}'`)).toEqual(before);
});

test("a row that is written anew is whole again at once", async () => {
  await using gateway = await start();
  const client = await gateway.connect();
  await client.call("people.put", { person: { id: "bert", name: "bert", role: "guest", ids: [] } });
  const { people } = await client.call("people.list", {});
  expect(people.map(({ id }: Json) => id)).toEqual(["anna", "bert"]);
});

test("doctor names them; with --fix the ledger goes on without, sessions mended, and the old file is kept", async () => {
  const told = await runCommand({ stateDir: state.path }, "doctor");
  expect(told.text).toMatch(/warn +Ledger +\d+ rows cannot be read and left out: table /);
  expect(told.text).toContain("chela doctor --fix");
  const fixed = await runCommand({ stateDir: state.path }, "doctor --fix");
  expect(fixed.text).toMatch(/ok +Ledger .*rebuilt without/);
  expect(readdirSync(state.path).join(" ")).toContain("ledger.sqlite.damaged.");
  const [mended] = all(`SELECT entry FROM sessions WHERE key = '${BROKEN}'`);
  expect(JSON.parse(String(mended?.["entry"]))).toMatchObject({ importedFields: { totalTokens: "many" } });
  expect(all("SELECT name FROM jobs")).toEqual([{ name: "whole" }]);
  await using gateway = await start();
  const client = await gateway.connect();
  await expect(client.agent("and you?", { sessionKey: BROKEN })).resolves.toEqual(expect.any(String));
  const index = join(state.path, "agents/main/sessions/sessions.json");
  await eventually("it is in the mirror again", () => readFileSync(index, "utf8").includes(BROKEN));
});
