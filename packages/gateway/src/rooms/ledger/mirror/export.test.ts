// Exports: a whole state directory written elsewhere, and a stream of what is new for collectors.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Logger } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { afterAll, describe, expect, it } from "vitest";
import { createImporter, exportState, followExport, type ExportRecord, type FollowOptions } from "../room.ts";
import { createIds } from "../../../base/ids.ts";

const root = mkdtempSync(join(tmpdir(), "chela-export-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const silent: Logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
let count = 0;

describe("An export", () => {
  it("can be imported again into an empty ledger, with the same sessions and entries", async () => {
    const ledger = createMemoryLedger();
    const line = '{"type":"message","id":"00000001","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","x":1}';
    await ledger.commit([
      {
        kind: "transcript-open",
        sessionId: "s1",
        sessionKey: "agent:work:main",
        agentId: "work",
        header: { type: "session", version: 3, id: "s1", timestamp: "2026-01-01T00:00:00.000Z" },
        file: "s1.jsonl",
      },
      { kind: "entries-append", sessionId: "s1", entries: [{ id: "00000001", line }] },
      { kind: "session-put", key: "agent:work:main", entry: { sessionId: "s1", updatedAt: 5 } },
    ]);
    const target = join(root, "exported");
    expect(await exportState({ ledger, target, homeSessionKey: "agent:work:main", log: silent })).toEqual({
      transcripts: 1,
      indexes: 1,
    });
    const copy = createMemoryLedger();
    await createImporter({
      ledger: copy,
      stateDir: target,
      log: silent,
      clock: createFakeClock(),
      ids: createIds(),
    }).importAll();
    expect((await copy.entries("s1")).map((entry) => entry.line)).toEqual([line]);
    expect(await copy.session("agent:work:main")).toMatchObject({ sessionId: "s1", updatedAt: 5 });
  });
});

function setUp(): {
  options: FollowOptions;
  put(path: string, text: string): void;
  add(path: string, text: string): void;
} {
  const stateDir = join(root, `state-${++count}`);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(stateDir, path)), { recursive: true });
    writeFileSync(join(stateDir, path), text);
  };
  return {
    put,
    add: (path, text) => appendFileSync(join(stateDir, path), text),
    options: { stateDir, stateFile: join(stateDir, "follow.json"), clock: createFakeClock() },
  };
}
async function collect(options: FollowOptions): Promise<ExportRecord[]> {
  const records: ExportRecord[] = [];
  for await (const record of followExport(options)) records.push(record);
  return records;
}
const S = "agents/main/sessions";

describe("A followed export", () => {
  it("hands out every line once, and small files when they change", async () => {
    const { options, put, add } = setUp();
    put(`${S}/a.jsonl`, "one\ntwo\nthr");
    put(`${S}/sessions.json`, "{}");
    put("cron/runs/j.jsonl", "ran\n");
    put("cron/jobs.json", "[]");
    put("workspace/MEMORY.md", "m");
    put("workspace/memory/2026-01-01.md", "d");
    put("workspace/SOUL.md", "s");
    const first = await collect(options);
    expect(first.map((record) => [record.kind, "line" in record ? record.line : record.content])).toEqual([
      ["transcript", "one"],
      ["transcript", "two"],
      ["session-index", "{}"],
      ["cron-run", "ran"],
      ["cron-jobs", "[]"],
      ["memory", "m"],
      ["memory", "d"],
      ["personality", "s"],
    ]);
    expect(await collect(options)).toEqual([]);
    add(`${S}/a.jsonl`, "ee\n");
    put(`${S}/sessions.json`, '{"k":1}');
    expect(await collect(options)).toEqual([
      { kind: "transcript", path: `${S}/a.jsonl`, offset: 8, line: "three" },
      { kind: "session-index", path: `${S}/sessions.json`, offset: 0, content: '{"k":1}' },
    ]);
  });

  it("sees workspaces wherever they lie", async () => {
    const { options, put } = setUp();
    const outside = join(root, "elsewhere");
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "SOUL.md"), "out");
    put("workspace-work/MEMORY.md", "in");
    const workspaces = () => [join(options.stateDir, "workspace-work"), outside];
    expect(await collect({ ...options, workspaces })).toEqual([
      { kind: "memory", path: "workspace-work/MEMORY.md", offset: 0, content: "in" },
      { kind: "personality", path: join(outside, "SOUL.md"), offset: 0, content: "out" },
    ]);
    expect(await collect({ ...options, workspaces })).toEqual([]);
  });

  it("never reads what is secret, generated or archived", async () => {
    const { options, put } = setUp();
    for (const path of [
      "agents/main/agent/auth-profiles.json",
      "credentials/oauth.json",
      "identity/device.json",
      "workspace/reports/r.md",
      `${S}/a.jsonl.deleted.2026-01-01T00-00-00.000Z`,
      `${S}/a.jsonl.reset.1`,
      "openclaw.json",
    ]) {
      put(path, "secret\n");
    }
    expect(await collect(options)).toEqual([]);
  });

  it("starts a file over that was written anew", async () => {
    const { options, put } = setUp();
    put(`${S}/a.jsonl`, "one\ntwo\n");
    await collect(options);
    put(`${S}/a.jsonl`, "another\nand longer\n");
    expect((await collect(options)).length).toBe(2);
  });

  it("repeats what the reader did not get to, rather than leave it out", async () => {
    const { options, put } = setUp();
    put(`${S}/a.jsonl`, "one\ntwo\n");
    for await (const record of followExport(options)) {
      expect(record).toMatchObject({ line: "one" });
      break;
    }
    expect((await collect(options)).length).toBe(2);
    expect(JSON.parse(readFileSync(options.stateFile, "utf8")).files[`${S}/a.jsonl`].offset).toBe(8);
  });

  it("goes on when there is more, until it is told to end", async () => {
    const { options, put, add } = setUp();
    put(`${S}/a.jsonl`, "one\n");
    const clock = createFakeClock();
    const abort = new AbortController();
    const records = followExport({ ...options, clock, follow: { everyMs: 1000 }, signal: abort.signal });
    expect((await records.next()).value).toMatchObject({ line: "one" });
    const next = records.next();
    add(`${S}/a.jsonl`, "two\n");
    let isThere = false;
    void next.then(() => (isThere = true));
    while (!isThere) await clock.advance(1000);
    expect((await next).value).toMatchObject({ line: "two" });
    abort.abort();
    expect((await records.next()).done).toBe(true);
  });
});
