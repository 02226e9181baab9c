// Questions about the few errands that are open must not cost more with all those that are over.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrandQuery } from "@chela/sdk";
import { expect, it, onTestFinished } from "vitest";
import { errandCount, errandSelect } from "./errand-select.ts";
import { LeftOutRows } from "./left-out-rows.ts";
import { openDatabase } from "./open.ts";

const NONE = new LeftOutRows(() => {});

const OPEN = ["waiting", "running", "executed"] as const;
const QUESTIONS: ReadonlyArray<Omit<ErrandQuery, "limit">> = [
  { states: OPEN },
  { kind: "hook", states: OPEN },
  { kind: "hook", owner: "github", states: OPEN },
  { kind: "cron", states: ["executed"] },
  { sessionKey: "agent:main:main", states: ["running"], order: "oldest" },
];

it("looks only through those that are open", () => {
  const directory = mkdtempSync(join(tmpdir(), "chela-errands-"));
  const database = openDatabase(join(directory, "ledger.sqlite"));
  onTestFinished(() => {
    database.close();
    rmSync(directory, { recursive: true, force: true });
  });
  for (const question of QUESTIONS) {
    for (const { sql, values } of [errandSelect({ ...question, limit: 10 }, NONE), errandCount(question, NONE)]) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
      expect(plan.map(({ detail }) => detail)).toContainEqual(expect.stringContaining("errands_open"));
    }
  }
});
