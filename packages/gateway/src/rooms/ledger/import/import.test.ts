// Every shape of OpenClaw's files goes in, comes out in one form, and nothing gets lost on the way.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentMessage, SessionEntry, TranscriptEntry, type Ledger, type Logger } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { afterAll, describe, expect, it } from "vitest";
import { createIds } from "../../../base/ids.ts";
import { createImporter, createMirror, importState, openDatabase, SqliteLedger, type Importer } from "../room.ts";

const root = mkdtempSync(join(tmpdir(), "chela-import-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const fixtures = join(import.meta.dirname, "fixtures");
const silent: Logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const STAMP = "2026-02-26T10-11-12.345Z";

const MAIN = "3f0c0000-0000-4000-8000-000000000001";
const UUIDS = "00000000-0000-4000-8000-0000000000d1";
const TOPIC = "00000000-0000-4000-8000-0000000000a7";
const DELETED = "00000000-0000-4000-8000-0000000000de";
const FORKED = "00000000-0000-4000-8000-0000000000f0";
const VERSION_2 = "1906e15d-0000-4000-8000-000000000002";

interface Setup {
  readonly ledger: Ledger;
  readonly sessions: string;
  readonly importer: Importer;
  add(fixture: string, name: string): void;
  read(name: string): string;
  names(): string[];
  mirror(): Promise<void>;
  entries(sessionId: string): Promise<ReadEntry[]>;
}

/** What the tests look at; anything may be missing in a wrong result, which then shows. */
interface ReadEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly customType?: string;
  readonly data: { readonly text?: string; readonly base64?: string };
  readonly message: { readonly role: string; readonly content: unknown; readonly usage: unknown };
}

let count = 0;
function setUp(kind: "memory" | "sqlite" = "memory"): Setup & { options: Parameters<typeof importState>[0] } {
  const stateDir = join(root, `state-${++count}`);
  const sessions = join(stateDir, "agents/main/sessions");
  mkdirSync(sessions, { recursive: true });
  const ledger = kind === "memory" ? createMemoryLedger() : new SqliteLedger(openDatabase(join(stateDir, "l.sqlite")));
  const clock = createFakeClock(Date.UTC(2026, 1, 26, 10, 11, 12, 345));
  const options = { ledger, stateDir, log: silent, clock, ids: createIds() };
  return {
    options,
    ledger,
    sessions,
    importer: createImporter(options),
    add: (fixture, name) => {
      copyFileSync(join(fixtures, fixture), join(sessions, name));
      utimesSync(join(sessions, name), 1_700_000_000, 1_700_000_000);
    },
    read: (name) => readFileSync(join(sessions, name), "utf8"),
    names: () => readdirSync(sessions).sort(),
    mirror: () => createMirror({ ...options, homeSessionKey: () => "agent:main:main" }).flush(),
    entries: async (sessionId) => (await ledger.entries(sessionId)).map(({ line }) => JSON.parse(line)),
  };
}

function addAll({ add }: Setup): void {
  add("flat/sessions.json", "sessions.json");
  add("canonical.jsonl", `${MAIN}.jsonl`);
  add("uuid-ids.jsonl", `${UUIDS}.jsonl`);
  add("no-ids.jsonl", `${TOPIC}-topic-7.jsonl`);
  add("deleted.jsonl", `${DELETED}.jsonl.deleted.${STAMP}`);
  add("forked.jsonl", `2026-01-02T00-00-00-000Z_${FORKED}.jsonl`);
}

for (const kind of ["memory", "sqlite"] as const) {
  describe(`Importing into a ${kind} ledger`, () => {
    it("takes every file once, whatever its shape", async () => {
      const setup = setUp(kind);
      addAll(setup);
      const report = await importState(setup.options);
      expect(report).toMatchObject({
        sessions: 4,
        transcripts: 5,
        entries: 5 + 4 + 4 + 1 + 1,
        unreadableLines: 2,
        recoveredSessions: 1,
      });
      expect(await importState(setup.options)).toMatchObject({ sessions: 0, transcripts: 0, skippedFiles: 6 });
      expect((await setup.ledger.transcript(DELETED))?.archived).toEqual({
        reason: "deleted",
        at: Date.UTC(2026, 1, 26, 10, 11, 12, 345),
      });
      expect((await setup.ledger.transcript(FORKED))?.header.parentSession).toContain("p.jsonl");
      expect(await setup.ledger.sessionKeyOf(FORKED)).toBe(`agent:main:recovered:${FORKED}`);
      for (const id of [MAIN, UUIDS, TOPIC, DELETED, FORKED]) {
        const seen = new Set<string>();
        for (const entry of await setup.entries(id)) {
          expect(entry).toEqual(TranscriptEntry().parse(entry));
          expect(entry.id).toMatch(/^[0-9a-f]{8}$/);
          expect(entry.parentId === null || seen.has(entry.parentId)).toBe(true);
          seen.add(entry.id);
          const role = entry.message?.role;
          if (["user", "assistant", "toolResult"].includes(role)) AgentMessage().parse(entry.message);
        }
      }
      await setup.ledger.close();
    });

    it("takes ended conversations out of the folder some versions keep them in", async () => {
      const setup = setUp(kind);
      mkdirSync(join(setup.sessions, "archived"));
      setup.add("canonical.jsonl", join("archived", `${MAIN}.jsonl`));
      setup.add("deleted.jsonl", join("archived", `${DELETED}.jsonl.deleted.${STAMP}`));
      await importState(setup.options);
      expect(await setup.ledger.transcript(MAIN)).toMatchObject({
        archived: { reason: "reset", at: 1_700_000_000_000 },
        file: `${MAIN}.jsonl.reset.2023-11-14T22-13-20.000Z`,
      });
      expect((await setup.ledger.transcript(DELETED))?.archived?.reason).toBe("deleted");
      expect(await setup.ledger.countSessions()).toBe(0);
      await setup.mirror();
      expect(setup.read(join("archived", `${MAIN}.jsonl`))).toContain(MAIN);
      expect(await importState(setup.options)).toMatchObject({ entries: 0, recoveredSessions: 0 });
      await setup.ledger.close();
    });

    it("leaves a file alone that is in our form, and keeps the original of one that is not", async () => {
      const setup = setUp(kind);
      addAll(setup);
      const before = new Map(setup.names().map((name) => [name, setup.read(name)]));
      await importState(setup.options);
      for (const [name, content] of before) expect(setup.read(name)).toBe(content);
      await setup.mirror();
      expect(setup.read(`${MAIN}.jsonl`)).toBe(before.get(`${MAIN}.jsonl`));
      for (const name of ["sessions.json", `${UUIDS}.jsonl`, `${TOPIC}-topic-7.jsonl`]) {
        expect(setup.read(`${name}.imported.${STAMP}`)).toBe(before.get(name));
        expect(setup.read(name)).not.toBe(before.get(name));
      }
      expect(setup.names().filter((name) => name.includes(".imported.")).length).toBe(3);
      expect(await setup.ledger.unmirrored(10)).toEqual([]);
      expect(await importState(setup.options)).toMatchObject({ sessions: 0, entries: 0 });
      await setup.ledger.close();
    });

    it("goes on where it ended when a file has grown", async () => {
      const setup = setUp(kind);
      addAll(setup);
      await importState(setup.options);
      const more = {
        type: "message",
        id: "cccccccc-1111-4111-8111-111111111111",
        parentId: "bbbbbbbb-1111-4111-8111-111111111111",
        timestamp: 1706976009000,
        message: { role: "user", content: "more" },
      };
      appendFileSync(join(setup.sessions, `${UUIDS}.jsonl`), `${JSON.stringify(more)}\n`);
      appendFileSync(join(setup.sessions, `${TOPIC}-topic-7.jsonl`), `er"}}\n`);
      expect(await importState(setup.options)).toMatchObject({ transcripts: 2, entries: 2 });
      expect((await setup.entries(UUIDS)).at(-1)).toMatchObject({ id: "cccccccc", parentId: "bbbbbbbb" });
      expect((await setup.entries(TOPIC)).length).toBe(5);
      await setup.ledger.close();
    });
  });
}

describe("The session index", () => {
  it("is read as a flat map", async () => {
    const setup = setUp();
    setup.add("flat/sessions.json", "sessions.json");
    const { warnings } = await setup.importer.importIndexes();
    const rows = await setup.ledger.sessions({});
    expect(rows.map(({ key }) => key)).toEqual([
      "agent:main:main",
      "agent:main:direct:escape",
      "agent:main:telegram:group:-5:topic:7",
      "agent:main:imessage:direct:+15551234",
    ]);
    for (const { entry } of rows) SessionEntry().parse(entry);
    expect(rows[0]?.entry).toMatchObject({
      systemSent: true,
      fieldOfALaterVersion: { kept: true },
      sessionFile: `${MAIN}.jsonl`,
    });
    expect(rows[1]?.entry.sessionFile).toBeUndefined();
    expect(rows[2]?.entry["importedFields"]).toEqual({ chatType: "room" });
    expect(warnings).toEqual([expect.stringContaining("/etc/passwd")]);
  });

  it("is read in the form of version 2", async () => {
    const setup = setUp();
    setup.add("version-2/sessions.json", "sessions.json");
    await setup.importer.importIndexes();
    expect(await setup.ledger.session("agent:main:main")).toMatchObject({
      sessionId: VERSION_2,
      modelProvider: "anthropic",
      model: "claude-opus-4-5",
      inputTokens: 45000,
      outputTokens: 12000,
      totalTokens: 57000,
      deliveryContext: { channel: "telegram", to: "1078321387" },
      lastChannel: "telegram",
      lastTo: "1078321387",
      skills: [{ name: "apple-notes" }],
    });
  });

  it.each([
    ["cut off at the end", (text: string) => text.slice(0, -60), 3],
    [
      "broken in the middle",
      (text: string) => text.replace('"updatedAt": 1706976000000', '"updatedAt": 17069'.padEnd(26, "\0")),
      3,
    ],
    ["missing a quote", (text: string) => text.replace('"sessionFile": "00000000', '"sessionFile": 00000000'), 3],
  ])("gives back what can still be read when it is %s", async (_, damage, salvaged) => {
    const setup = setUp();
    const damaged = damage(readFileSync(join(fixtures, "flat/sessions.json"), "utf8"));
    writeFileSync(join(setup.sessions, "sessions.json"), damaged);
    setup.add("uuid-ids.jsonl", `${UUIDS}.jsonl`);
    setup.add("canonical.jsonl", `${MAIN}.jsonl`);
    const report = await importState(setup.options);
    expect(report.sessions).toBe(salvaged);
    expect(report.warnings.join()).toContain("damaged");
    expect(setup.read(`sessions.json.damaged.${STAMP}`)).toBe(damaged);
    expect(await setup.ledger.sessionKeyOf(UUIDS)).toMatch(/direct:\+15551234|recovered:/);
    expect((await setup.entries(UUIDS)).length).toBe(4);
  });
});

describe("Transcript records", () => {
  it("of the uuid shape get short ids, ISO times and our thinking blocks", async () => {
    const setup = setUp();
    setup.add("uuid-ids.jsonl", `${UUIDS}.jsonl`);
    await importState(setup.options);
    const [first, second, custom, compaction] = await setup.entries(UUIDS);
    expect(first).toMatchObject({
      id: "aaaaaaaa",
      parentId: null,
      timestamp: "2024-02-03T16:00:00.000Z",
      message: { timestamp: 1706976000000 },
    });
    expect(second?.message.content).toMatchObject([{ type: "thinking", thinking: "let me" }, { type: "toolCall" }]);
    expect(second?.message.usage).toEqual({
      input: 1234,
      output: 567,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 1801,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    });
    expect(custom).toMatchObject({ parentId: "bbbbbbbb", customType: "cache-ttl" });
    expect(compaction).toMatchObject({ parentId: custom?.id, firstKeptEntryId: "bbbbbbbb", tokensAfter: 15000 });
    expect((await setup.ledger.transcript(UUIDS))?.header.version).toBe(3);
  });

  it("of the tool_use shape get our blocks, usage, stop reasons and custom types", async () => {
    const setup = setUp();
    setup.add("tool-use.jsonl", `${VERSION_2}.jsonl`);
    await importState(setup.options);
    const entries = await setup.entries(VERSION_2);
    expect(entries[1]?.message).toMatchObject({
      api: "anthropic-messages",
      provider: "anthropic",
      stopReason: "toolUse",
      content: [
        { type: "text" },
        { type: "toolCall", id: "toolu_1", name: "apple-calendar-list", arguments: { days: 1 } },
      ],
      usage: { input: 5000, output: 200, totalTokens: 5200 },
      timestamp: Date.parse("2026-01-31T07:26:11.000Z"),
    });
    expect(entries[3]).toEqual({
      type: "custom",
      id: "71443555",
      parentId: "71443554",
      timestamp: "2026-01-31T07:26:13.000Z",
      customType: "openclaw.cache-ttl",
      data: { provider: "anthropic" },
    });
    expect(entries[4]?.message).toMatchObject({
      api: "openai-responses",
      provider: "openclaw",
      content: [{ type: "text", text: "You have a meeting" }],
      stopReason: "stop",
    });
  });

  it("without ids get some, and lines that are no records are kept", async () => {
    const setup = setUp();
    setup.add("no-ids.jsonl", `${TOPIC}-topic-7.jsonl`);
    await importState(setup.options);
    const entries = await setup.entries(TOPIC);
    expect(entries.map((entry) => entry.parentId)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.id)]);
    expect(entries[1]).toMatchObject({
      type: "custom",
      customType: "chela.unreadable-line",
      data: { text: "this line is no record" },
    });
    expect(entries[2]?.message).toMatchObject({ role: "custom", content: "from a hook" });
    expect(entries[3]?.data.text).toContain('"role":"us');
  });

  it("of unknown type and of other branches stay as they are, to the byte", async () => {
    const setup = setUp();
    setup.add("canonical.jsonl", `${MAIN}.jsonl`);
    await importState(setup.options);
    const lines = (await setup.ledger.entries(MAIN)).map(({ line }) => line);
    expect(lines).toEqual(setup.read(`${MAIN}.jsonl`).trim().split("\n").slice(1));
    expect(lines.at(-1)).toContain("12345678901234567890");
  });

  it("that are not text are kept as bytes", async () => {
    const setup = setUp();
    writeFileSync(join(setup.sessions, "x.jsonl"), Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
    await importState(setup.options);
    expect((await setup.entries("x"))[0]?.data.base64).toBe("//4A");
  });
});

describe("What is no transcript", () => {
  it("is not read: links, directories, copies, locks", async () => {
    const setup = setUp();
    writeFileSync(join(root, "outside.txt"), "secret");
    symlinkSync(join(root, "outside.txt"), join(setup.sessions, "link.jsonl"));
    mkdirSync(join(setup.sessions, "directory.jsonl"));
    for (const name of ["x.jsonl.bak.1", "x.jsonl.lock", ".x.jsonl", "x.jsonl.imported.1"]) {
      writeFileSync(join(setup.sessions, name), "{}");
    }
    expect(await importState(setup.options)).toMatchObject({ transcripts: 0, entries: 0, warnings: [] });
  });
});

describe("A progressive import", () => {
  it("shows sessions at once, gives a transcript on demand, and knows when it is done", async () => {
    const setup = setUp();
    addAll(setup);
    expect(await setup.importer.isNeeded()).toBe(true);
    expect((await setup.importer.survey()).files).toBe(6);
    await setup.importer.importIndexes();
    expect(await setup.ledger.countSessions()).toBe(4);
    expect(await setup.ledger.transcript(TOPIC)).toBeUndefined();
    await setup.importer.importTranscript(TOPIC);
    expect((await setup.entries(TOPIC)).length).toBe(4);
    await setup.importer.importTranscript("unknown-session");
    expect(await setup.importer.isNeeded()).toBe(true);
    await setup.importer.importAll();
    expect(await setup.importer.isNeeded()).toBe(false);
    expect((await setup.entries(MAIN)).length).toBe(5);
  });

  it("can be broken off in the middle of a file and goes on without a duplicate", async () => {
    const setup = setUp("sqlite");
    const lines = [`{"type":"session","version":1,"id":"long","timestamp":"2025-12-01T00:00:00.000Z"}`];
    for (let n = 0; n < 1000; n++)
      lines.push(JSON.stringify({ type: "message", message: { role: "user", content: `line ${n}` } }));
    writeFileSync(join(setup.sessions, "long.jsonl"), `${lines.join("\n")}\n`);
    let left = 2;
    const ledger = new Proxy(setup.ledger, {
      get: (target, name) => {
        if (name === "commit" && --left < 0) return () => Promise.reject(new Error("killed"));
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await expect(createImporter({ ...setup.options, ledger }).importAll()).rejects.toThrow();
    const half = (await setup.entries("long")).length;
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(1000);
    // The mirror does not touch a file that is only half read.
    await setup.mirror();
    expect(setup.read("long.jsonl").split("\n").length).toBe(1002);
    await setup.importer.importTranscript("long");
    const texts = (await setup.entries("long")).map((entry) => entry.message.content);
    expect(texts).toEqual(Array.from({ length: 1000 }, (_, n) => `line ${n}`));
    await setup.ledger.close();
  });

  it("notes a fresh state directory as done", async () => {
    const setup = setUp();
    expect(await setup.importer.isNeeded()).toBe(false);
    setup.add("canonical.jsonl", `${MAIN}.jsonl`);
    expect(await setup.importer.isNeeded()).toBe(false);
  });
});
