// Contract tests for every ledger. Run it on each implementation of the seam.
import { describe, expect, it } from "vitest";
import { GatewayError } from "../errors.ts";
import type {
  Change,
  InboxMessage,
  Ledger,
  NewEntry,
  RunQuery,
  SessionQuery,
  UsageDimension,
  UsageRecord,
} from "../ledger.ts";

import { testAudit } from "./ledger-audit-contract.ts";
import { testErrands } from "./ledger-errands-contract.ts";

export interface LedgerHarness {
  /** A fresh, empty ledger. */
  open(): Promise<Ledger>;
}

const AT = Date.UTC(2026, 0, 15, 12);

const inboxMessage = (runId: string, over: Partial<InboxMessage> = {}): InboxMessage => ({
  runId,
  channel: "webchat",
  account: "default",
  messageId: runId,
  agentId: "main",
  sessionKey: "agent:main:main",
  body: { text: `hello ${runId}` },
  admittedAt: AT,
  ...over,
});

const openTranscript = (sessionId: string, sessionKey = "agent:main:main"): Change => ({
  kind: "transcript-open",
  sessionId,
  sessionKey,
  agentId: "main",
  header: { type: "session", version: 3, id: sessionId, timestamp: new Date(AT).toISOString() },
  file: `${sessionId}.jsonl`,
});

const entry = (id: string): NewEntry => ({ id, line: JSON.stringify({ type: "message", id }) });
const append = (sessionId: string, ...ids: string[]): Change => ({
  kind: "entries-append",
  sessionId,
  entries: ids.map(entry),
});
const putSession = (key: string, updatedAt: number, over: object = {}): Change => ({
  kind: "session-put",
  key,
  entry: { sessionId: `id-of-${key}`, updatedAt, ...over },
});
const idsOf = (stored: readonly { line: string }[]): string[] => stored.map(({ line }) => JSON.parse(line).id);

const USAGE_OF = { agentId: "main", sessionKey: "k", runId: "r", channel: "webchat", person: "", job: "" };

export function testLedger(name: string, harness: LedgerHarness): void {
  const withLedger = (work: (ledger: Ledger) => Promise<void>) => async () => {
    const ledger = await harness.open();
    try {
      await work(ledger);
    } finally {
      await ledger.close();
    }
  };

  testErrands(name, withLedger);
  testAudit(name, withLedger);

  describe(`${name} keeps the ledger's promises: inbox`, () => {
    it(
      "admits a message once and hands back the first run for a repeated id",
      withLedger(async (ledger) => {
        expect(await ledger.admit(inboxMessage("r1"))).toEqual({ kind: "admitted" });
        const again = await ledger.admit(inboxMessage("r1"));
        expect(again).toMatchObject({ kind: "duplicate", run: { state: "queued", message: { runId: "r1" } } });
      }),
    );
    it(
      "knows a duplicate by channel, account and message id, whatever run it would have got",
      withLedger(async (ledger) => {
        await ledger.admit(inboxMessage("r1", { messageId: "m" }));
        expect(await ledger.admit(inboxMessage("r2", { messageId: "m" }))).toMatchObject({ kind: "duplicate" });
        expect(await ledger.admit(inboxMessage("r3", { messageId: "m", account: "other" }))).toEqual({
          kind: "admitted",
        });
      }),
    );
    it(
      "admits exactly one of many equal messages that arrive together",
      withLedger(async (ledger) => {
        const all = await Promise.all(Array.from({ length: 20 }, () => ledger.admit(inboxMessage("same"))));
        expect(all.filter(({ kind }) => kind === "admitted")).toHaveLength(1);
      }),
    );
    it(
      "lists what a restart has to finish, oldest first, and forgets it once it is done",
      withLedger(async (ledger) => {
        for (const id of ["a", "b", "c"]) await ledger.admit(inboxMessage(id));
        await ledger.commit([openTranscript("s"), { kind: "turn-begin", runId: "a", sessionId: "s", at: AT }]);
        await ledger.commit([{ kind: "turn-end", runId: "b", at: AT + 1, outcome: { status: "aborted", texts: [] } }]);
        const open = await ledger.unfinishedRuns();
        expect(open.map(({ message, state }) => [message.runId, state])).toEqual([
          ["a", "running"],
          ["c", "queued"],
        ]);
        expect(await ledger.run("b")).toMatchObject({ state: "done", outcome: { status: "aborted" }, endedAt: AT + 1 });
      }),
    );
    it(
      "remembers the whole way of a run",
      withLedger(async (ledger) => {
        await ledger.admit(inboxMessage("a", { body: { text: "hi", nested: { n: 1 } } }));
        await ledger.commit([openTranscript("s"), { kind: "turn-begin", runId: "a", sessionId: "s", at: AT + 1 }]);
        const outcome = { status: "ok" as const, texts: ["hello"], meta: { model: "m" } };
        await ledger.commit([{ kind: "turn-end", runId: "a", at: AT + 5, outcome }]);
        expect(await ledger.run("a")).toEqual({
          message: inboxMessage("a", { body: { text: "hi", nested: { n: 1 } } }),
          state: "done",
          sessionId: "s",
          startedAt: AT + 1,
          endedAt: AT + 5,
          outcome,
        });
        expect(await ledger.run("nobody")).toBeUndefined();
        expect((await ledger.exchanges("agent:main:main", 5)).map(({ message }) => message.runId)).toEqual(["a"]);
        for (const runId of ["b", "c", "d"]) {
          await ledger.admit(inboxMessage(runId));
          await ledger.commit([{ kind: "turn-end", runId, at: AT + 6, outcome }]);
        }
        const all = await ledger.exchanges("agent:main:main", 9);
        const seqs = all.map(({ seq }) => seq);
        expect(seqs.toSorted((one, other) => one - other)).toEqual(seqs);
        const runsOf = async (limit: number, range: { before?: number; after?: number }) =>
          (await ledger.exchanges("agent:main:main", limit, range)).map(({ message }) => message.runId);
        expect(await runsOf(2, { before: seqs[3] ?? 0 })).toEqual(["b", "c"]);
        expect(await runsOf(2, { after: seqs[0] ?? 0 })).toEqual(["b", "c"]);
        expect(await runsOf(9, { after: seqs[3] ?? 0 })).toEqual([]);
      }),
    );
    it(
      "keeps all of a turn that begins and ends in one commit",
      withLedger(async (ledger) => {
        await ledger.admit(inboxMessage("a"));
        const outcome = { status: "ok" as const, texts: ["yes"] };
        await ledger.commit([
          openTranscript("s"),
          { kind: "turn-begin", runId: "a", sessionId: "s", at: AT + 1 },
          { kind: "turn-end", runId: "a", at: AT + 5, outcome },
        ]);
        const whole = { state: "done", sessionId: "s", startedAt: AT + 1, endedAt: AT + 5, outcome };
        expect(await ledger.run("a")).toMatchObject(whole);
        expect(await ledger.unfinishedRuns()).toEqual([]);
      }),
    );
  });

  describe(`${name} keeps the ledger's promises: finding`, () => {
    it(
      "finds runs by the beginning of their id or by the sender's message id, newest first",
      withLedger(async (ledger) => {
        await ledger.admit(inboxMessage("run-1", { messageId: "chat:x" }));
        await ledger.admit(inboxMessage("run-2"));
        const found = async (text: string) => (await ledger.findRuns(text, 5)).map(({ message }) => message.runId);
        expect(await found("run-")).toEqual(["run-2", "run-1"]);
        expect(await found("chat:x")).toEqual(["run-1"]);
        expect(await found("un-1")).toEqual([]);
      }),
    );
    it(
      "lists runs, newest first, by session, agent, state and time",
      withLedger(async (ledger) => {
        const long = "x".repeat(500);
        await ledger.admit(inboxMessage("a", { admittedAt: AT, body: { text: long } }));
        await ledger.admit(inboxMessage("b", { admittedAt: AT + 1, agentId: "work", sessionKey: "agent:work:main" }));
        await ledger.admit(inboxMessage("c", { admittedAt: AT + 2 }));
        await ledger.admit(inboxMessage("d", { admittedAt: AT + 3, body: { text: "hi" } }));
        const error = { status: "error" as const, texts: [], error: "broken" };
        await ledger.commit([openTranscript("s"), { kind: "turn-begin", runId: "c", sessionId: "s", at: AT + 5 }]);
        await ledger.commit([{ kind: "turn-end", runId: "a", at: AT + 6, outcome: { status: "ok", texts: ["1"] } }]);
        // Begun and ended in one commit, as quick turns are.
        await ledger.commit([
          openTranscript("t"),
          { kind: "turn-begin", runId: "b", sessionId: "t", at: AT + 6 },
          { kind: "turn-end", runId: "b", at: AT + 7, outcome: error },
        ]);
        const ids = async (query: Partial<RunQuery>) =>
          (await ledger.runs({ limit: 10, ...query })).map(({ runId }) => runId);
        expect(await ids({})).toEqual(["d", "c", "b", "a"]);
        expect(await ids({ limit: 2 })).toEqual(["d", "c"]);
        expect(await ids({ before: AT + 2 })).toEqual(["b", "a"]);
        expect(await ids({ before: AT })).toEqual([]);
        expect(await ids({ sessionKey: "agent:work:main" })).toEqual(["b"]);
        expect(await ids({ agentId: "main", before: AT + 3 })).toEqual(["c", "a"]);
        expect(await ids({ state: "queued" })).toEqual(["d"]);
        expect(await ids({ state: "running" })).toEqual(["c"]);
        expect(await ids({ state: "done" })).toEqual(["b", "a"]);
        expect(await ids({ state: "error" })).toEqual(["b"]);
        expect(await ids({ state: "error", agentId: "main" })).toEqual([]);
        const [newest, , failed, first] = await ledger.runs({ limit: 4 });
        expect(newest).toMatchObject({ text: "hi", state: "queued", channel: inboxMessage("d").channel });
        expect(failed).toMatchObject({ endedAt: AT + 7, outcome: error, agentId: "work" });
        expect(first?.text).toBe(long.slice(0, 200));
      }),
    );
    it(
      "walks a branch from its tip to the first live entry, and keeps the newest",
      withLedger(async (ledger) => {
        const linked = (id: string, parentId: string | null): NewEntry => ({
          id,
          line: JSON.stringify({ type: "message", id, parentId }),
        });
        const entries = [linked("a", null), linked("b", "a"), linked("c", "b"), linked("d", "a"), linked("e", "d")];
        await ledger.commit([openTranscript("s"), { kind: "entries-append", sessionId: "s", entries }]);
        expect(idsOf(await ledger.branch("s", "e", 10))).toEqual(["a", "d", "e"]);
        expect(idsOf(await ledger.branch("s", "c", 2))).toEqual(["b", "c"]);
        expect(await ledger.branch("s", "none", 10)).toEqual([]);
        await ledger.commit([{ kind: "transcript-cut", sessionId: "s", keep: 2 }]);
        expect(idsOf(await ledger.branch("s", "e", 10))).toEqual(["d", "e"]);
      }),
    );
  });

  describe(`${name} keeps the ledger's promises: commits`, () => {
    it(
      "writes all changes of a commit or none of them",
      withLedger(async (ledger) => {
        await ledger.commit([openTranscript("s"), append("s", "aaaaaaaa")]);
        const clash = ledger.commit([putSession("agent:main:x", AT), append("s", "bbbbbbbb", "aaaaaaaa")]);
        await expect(clash).rejects.toSatisfy((error) => GatewayError.is(error) && error.code === "STORE_CONFLICT");
        expect(await ledger.session("agent:main:x")).toBeUndefined();
        expect(idsOf(await ledger.entries("s"))).toEqual(["aaaaaaaa"]);
      }),
    );
    it(
      "lets no failing commit hurt one that runs beside it",
      withLedger(async (ledger) => {
        await ledger.commit([openTranscript("s"), append("s", "aaaaaaaa")]);
        const results = await Promise.allSettled([
          ledger.commit([append("s", "bbbbbbbb")]),
          ledger.commit([append("s", "aaaaaaaa")]),
          ledger.commit([append("s", "cccccccc")]),
        ]);
        expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
        expect(idsOf(await ledger.entries("s"))).toEqual(["aaaaaaaa", "bbbbbbbb", "cccccccc"]);
      }),
    );
    it(
      "refuses entries for a transcript that was never opened",
      withLedger(async (ledger) => {
        await expect(ledger.commit([append("nowhere", "aaaaaaaa")])).rejects.toThrow(/no transcript/);
      }),
    );
    it(
      "tells followers which sessions a commit touched, and stops when they leave",
      withLedger(async (ledger) => {
        const notes: unknown[] = [];
        const leave = ledger.onCommit((note) => notes.push(note));
        const changes = [openTranscript("s"), append("s", "aaaaaaaa"), putSession("agent:main:main", AT)];
        await ledger.commit(changes);
        leave();
        await ledger.commit([append("s", "bbbbbbbb")]);
        const sessionKeys = ["agent:main:main"];
        expect(notes).toEqual([{ sessionIds: ["s"], sessionKeys, commits: [changes], admitted: [] }]);
      }),
    );
    it(
      "tells followers of what was admitted before the sender is told, and of a duplicate nothing",
      withLedger(async (ledger) => {
        const told: string[] = [];
        ledger.onCommit(({ admitted }) => told.push(...admitted.map(({ runId }) => `follower ${runId}`)));
        await ledger.admit(inboxMessage("a")).then(() => told.push("sender"));
        await ledger.admit(inboxMessage("a"));
        expect(told).toEqual(["follower a", "sender"]);
      }),
    );
    it(
      "says nothing to followers of what only the ledger and its mirror know",
      withLedger(async (ledger) => {
        await ledger.commit([openTranscript("s"), append("s", "aaaaaaaa")]);
        const notes: unknown[] = [];
        ledger.onCommit((note) => notes.push(note));
        await ledger.commit([{ kind: "mirrored", sessionId: "s", seq: 1, file: "s.jsonl" }]);
        await ledger.commit([{ kind: "value-put", key: "k", value: "v" }]);
        expect(notes).toEqual([]);
      }),
    );
  });

  describe(`${name} keeps the ledger's promises: transcripts`, () => {
    it(
      "keeps entries in order and reads them from either end",
      withLedger(async (ledger) => {
        await ledger.commit([openTranscript("s"), openTranscript("other", "agent:main:b")]);
        await ledger.commit([append("s", "00000001", "00000002"), append("other", "00000001")]);
        await ledger.commit([append("s", "00000003")]);
        const all = await ledger.entries("s");
        expect(idsOf(all)).toEqual(["00000001", "00000002", "00000003"]);
        expect(idsOf(await ledger.entries("s", { newest: 2 }))).toEqual(["00000002", "00000003"]);
        expect(idsOf(await ledger.entries("s", { limit: 1 }))).toEqual(["00000001"]);
        expect(idsOf(await ledger.entries("s", { afterSeq: all[0]?.seq ?? 0 }))).toEqual(["00000002", "00000003"]);
        expect((await ledger.transcript("s"))?.lastSeq).toBe(all[2]?.seq);
        expect(await ledger.entries("unknown")).toEqual([]);
      }),
    );
    it(
      "tells the history of all conversations in the order it happened",
      withLedger(async (ledger) => {
        expect(await ledger.newestSeq()).toBe(0);
        await ledger.commit([openTranscript("s"), openTranscript("other", "agent:main:b")]);
        await ledger.commit([append("s", "00000001"), append("other", "00000002")]);
        await ledger.commit([append("s", "00000003")]);
        await ledger.commit([
          { kind: "transcript-archive", sessionId: "other", reason: "reset", at: AT, file: "other.jsonl.reset.x" },
        ]);
        const all = await ledger.history(0, 10);
        expect(idsOf(all)).toEqual(["00000001", "00000002", "00000003"]);
        expect(all[1]).toMatchObject({ sessionId: "other", sessionKey: "agent:main:b", archived: "reset" });
        expect(all[0]).not.toHaveProperty("archived");
        expect(idsOf(await ledger.history(all[0]?.seq ?? 0, 1))).toEqual(["00000002"]);
        expect(await ledger.newestSeq()).toBe(all[2]?.seq);
        expect(await ledger.history(all[2]?.seq ?? 0, 5)).toEqual([]);
      }),
    );
    it(
      "cuts the live conversation without losing what was said",
      withLedger(async (ledger) => {
        await ledger.commit([openTranscript("s"), append("s", "00000001", "00000002", "00000003")]);
        await ledger.commit([{ kind: "transcript-cut", sessionId: "s", keep: 1 }]);
        expect(idsOf(await ledger.entries("s"))).toEqual(["00000003"]);
        expect(idsOf(await ledger.entries("s", { all: true }))).toHaveLength(3);
        await ledger.commit([{ kind: "transcript-cut", sessionId: "s", keep: 5 }]);
        expect(idsOf(await ledger.entries("s"))).toEqual(["00000003"]);
      }),
    );
    it(
      "tells how entries hang together without what they say, and gives those that are asked for",
      withLedger(async (ledger) => {
        const at = (id: string, rest: object): NewEntry => ({ id, line: JSON.stringify({ ...rest, id }) });
        const timestamp = new Date(AT).toISOString();
        const entries: NewEntry[] = [
          { id: "a", line: JSON.stringify({ type: "message", id: "a", parentId: null, timestamp, message: {} }) },
          { id: "b", line: JSON.stringify({ type: "custom", id: "b", parentId: "a", timestamp, customType: "note" }) },
          // Other programs write the fields in another order, and longer ones first.
          at("c", { message: "x".repeat(3000), parentId: "b", type: "message" }),
          at("d", { timestamp, customType: "note", type: "custom" }),
        ];
        await ledger.commit([openTranscript("s"), { kind: "entries-append", sessionId: "s", entries }]);
        await ledger.commit([openTranscript("other", "agent:main:b"), append("other", "00000001")]);
        const nodes = await ledger.nodes("s");
        expect(nodes.map(({ seq: _seq, ...node }) => node)).toEqual([
          { id: "a", parentId: null, type: "message" },
          { id: "b", parentId: "a", type: "custom", customType: "note" },
          { id: "c", parentId: "b", type: "message" },
          { id: "d", parentId: null, type: "custom", customType: "note" },
        ]);
        const seqs = nodes.map(({ seq }) => seq);
        expect(seqs).toEqual((await ledger.entries("s")).map(({ seq }) => seq));
        expect(await ledger.nodes("s", { afterSeq: seqs[1] ?? 0, limit: 1 })).toEqual([nodes[2]]);
        const foreign = (await ledger.entries("other"))[0]?.seq ?? 0;
        expect(idsOf(await ledger.entriesAt("s", [seqs[2] ?? 0, seqs[0] ?? 0, foreign, 9999]))).toEqual(["a", "c"]);
        await ledger.commit([{ kind: "transcript-cut", sessionId: "s", keep: 1 }]);
        expect((await ledger.nodes("s")).map(({ id }) => id)).toEqual(["d"]);
        expect(idsOf(await ledger.entriesAt("s", seqs.slice(0, 1)))).toEqual(["a"]);
        expect(await ledger.nodes("nobody")).toEqual([]);
      }),
    );
    it(
      "knows which files are behind",
      withLedger(async (ledger) => {
        await ledger.commit([openTranscript("s"), append("s", "00000001")]);
        const [behind] = await ledger.unmirrored(10);
        expect(behind).toMatchObject({ sessionId: "s", file: "s.jsonl" });
        const seq = behind?.lastSeq ?? 0;
        await ledger.commit([{ kind: "mirrored", sessionId: "s", seq, file: "s.jsonl", size: 120 }]);
        expect(await ledger.unmirrored(10)).toEqual([]);
        expect(await ledger.transcript("s")).toMatchObject({ mirroredFile: "s.jsonl", mirroredSize: 120 });
        await ledger.commit([append("s", "00000002")]);
        await ledger.commit([append("s", "00000003")]);
        expect(await ledger.unmirrored(10)).toMatchObject([{ sessionId: "s" }]);
        // What was written until a moment ago is noted when there is already more.
        const newest = await ledger.newestSeq();
        await ledger.commit([{ kind: "mirrored", sessionId: "s", seq: newest - 1, file: "s.jsonl", size: 240 }]);
        expect(await ledger.unmirrored(10)).toMatchObject([{ sessionId: "s", lastSeq: newest, mirroredSize: 240 }]);
        await ledger.commit([{ kind: "mirrored", sessionId: "s", seq: newest, file: "s.jsonl", size: 360 }]);
        expect(await ledger.unmirrored(10)).toEqual([]);
        const at = AT + 9;
        await ledger.commit([
          { kind: "transcript-archive", sessionId: "s", reason: "reset", at, file: "s.jsonl.reset.x" },
        ]);
        expect(await ledger.unmirrored(10)).toMatchObject([
          { file: "s.jsonl.reset.x", mirroredFile: "s.jsonl", archived: { reason: "reset", at } },
        ]);
      }),
    );
  });

  describe(`${name} keeps the ledger's promises: sessions`, () => {
    it(
      "gives back what a prompt was made of as it was put, whole and in its order, of one session and of many",
      withLedger(async (ledger) => {
        const report = (chars: number) => ({
          source: "run",
          generatedAt: AT,
          injectedWorkspaceFiles: [{ name: "AGENTS.md", rawChars: chars }],
          skills: { entries: [] },
          tools: { schemaChars: 7, entries: [{ name: "read" }] },
        });
        const entries = [report(1), report(1), report(2), { tools: null, injectedWorkspaceFiles: "none" }, "unknown"];
        await ledger.commit(
          entries.map((one, at) => putSession(`agent:main:${at}`, AT - at, { systemPromptReport: one })),
        );
        const listed = await ledger.sessions({});
        expect(JSON.stringify(listed.map(({ entry: one }) => one.systemPromptReport))).toBe(JSON.stringify(entries));
        const one = await ledger.session("agent:main:2");
        expect(JSON.stringify(one?.systemPromptReport)).toBe(JSON.stringify(report(2)));
        Object.assign(one?.systemPromptReport as object, { tools: "changed by whoever asked" });
        expect((await ledger.session("agent:main:2"))?.systemPromptReport).toEqual(report(2));
      }),
    );
    it(
      "lists sessions newest first, filtered and paged",
      withLedger(async (ledger) => {
        await ledger.commit([
          putSession("agent:main:main", AT + 1, { label: "Home" }),
          putSession("agent:work:main", AT + 3, { displayName: "Büro 100%" }),
          putSession("agent:main:telegram:group:5", AT + 2, { subject: "Holiday" }),
          putSession("agent:main:cron:job:run:1", AT + 9),
          putSession("global", AT + 8),
        ]);
        const keys = async (query: object) => (await ledger.sessions(query)).map(({ key }) => key);
        expect(await keys({})).toEqual(["agent:work:main", "agent:main:telegram:group:5", "agent:main:main"]);
        expect(await keys({ limit: 1, offset: 1 })).toEqual(["agent:main:telegram:group:5"]);
        expect(await keys({ agentId: "work" })).toEqual(["agent:work:main"]);
        expect(await keys({ label: "Home" })).toEqual(["agent:main:main"]);
        expect(await keys({ search: "HOLI" })).toEqual(["agent:main:telegram:group:5"]);
        expect(await keys({ search: "0%" })).toEqual(["agent:work:main"]);
        expect(await keys({ updatedSince: AT + 3 })).toEqual(["agent:work:main"]);
        expect(await keys({ includeGlobal: true, includeHidden: true, limit: 2 })).toEqual([
          "agent:main:cron:job:run:1",
          "global",
        ]);
        expect(await ledger.countSessions("main")).toBe(3);
      }),
    );
    it(
      "finds any part of a list by kind, channel and order, and knows how long the whole is",
      withLedger(async (ledger) => {
        await ledger.commit([
          putSession("agent:main:a", AT + 3, { lastChannel: "irc", totalTokens: 5 }),
          putSession("agent:main:irc:group:b", AT + 1, { channel: "irc", lastChannel: "webchat" }),
          putSession("agent:work:c", AT + 2, { lastChannel: "telegram", totalTokens: 9 }),
          putSession("agent:main:cron:job:run:1", AT + 9, { lastChannel: "irc" }),
        ]);
        await ledger.commit([putSession("agent:main:irc:group:b", AT + 7, { channel: "irc", totalTokens: 7 })]);
        const keys = async (query: SessionQuery) => {
          const found = await ledger.sessions(query);
          expect(await ledger.countMatching({ ...query, limit: 1, offset: 5 })).toBe(found.length);
          return found.map(({ key }) => key.at(-1)).join("");
        };
        expect(await keys({})).toBe("bac");
        expect(await keys({ sort: "created" })).toBe("acb");
        expect(await keys({ sort: "tokens" })).toBe("cba");
        expect(await keys({ sort: "tokens", agentId: "main" })).toBe("ba");
        expect(await keys({ kind: "group" })).toBe("b");
        expect(await keys({ channel: "irc" })).toBe("ba");
        expect(await keys({ channel: "irc", kind: "direct", sort: "created" })).toBe("a");
        expect(await keys({ search: "GROUP:", channel: "irc" })).toBe("b");
        expect(await keys({ search: "work", sort: "created" })).toBe("c");
        expect((await ledger.sessions({ sort: "tokens", limit: 1, offset: 1 })).map(({ key }) => key)).toEqual([
          "agent:main:irc:group:b",
        ]);
        expect((await ledger.sessions({ agentId: "work" }))[0]?.createdAt).toBe(AT + 2);
      }),
    );
    it(
      "keeps an ended session as it was, lists it, and brings it back with its first time",
      withLedger(async (ledger) => {
        const entry = { sessionId: "s", updatedAt: AT + 5, label: "Old Times", future: { kept: true } };
        await ledger.commit([
          openTranscript("s", "agent:main:old"),
          append("s", "00000001", "00000002"),
          { kind: "session-put", key: "agent:main:old", entry },
        ]);
        await ledger.commit([
          {
            kind: "transcript-archive",
            sessionId: "s",
            reason: "deleted",
            at: AT + 6,
            file: "s.jsonl.deleted.x",
            entry,
          },
          { kind: "session-delete", key: "agent:main:old" },
        ]);
        await ledger.commit([
          openTranscript("t"),
          { kind: "transcript-archive", sessionId: "t", reason: "reset", at: AT + 7, file: "t.jsonl.reset.x" },
        ]);
        const found = async (query: object) =>
          (await ledger.archives({ limit: 9, ...query })).map(({ transcript }) => transcript.sessionId);
        expect(await found({})).toEqual(["t", "s"]);
        expect(await found({ offset: 1 })).toEqual(["s"]);
        expect(await found({ reason: "reset" })).toEqual(["t"]);
        expect(await found({ sessionKey: "agent:main:old" })).toEqual(["s"]);
        expect(await found({ search: "old t" })).toEqual(["s"]);
        expect(await ledger.countArchives({ search: "old t" })).toBe(1);
        expect(await ledger.archive("s")).toMatchObject({
          entry,
          entries: 2,
          transcript: { sessionKey: "agent:main:old", archived: { reason: "deleted", at: AT + 6 } },
        });
        await ledger.commit([
          { kind: "transcript-restore", sessionId: "s", file: "s.jsonl" },
          { kind: "session-put", key: "agent:main:old", entry },
        ]);
        expect(await ledger.archive("s")).toBeUndefined();
        expect(await ledger.sessions({ search: "old" })).toEqual([{ key: "agent:main:old", entry, createdAt: AT }]);
        expect(await ledger.transcript("s")).toMatchObject({ file: "s.jsonl", mirroredFile: "s.jsonl.deleted.x" });
        expect(await ledger.unmirrored(9)).toContainEqual(expect.objectContaining({ sessionId: "s" }));
        const again = ledger.commit([{ kind: "transcript-restore", sessionId: "s", file: "s.jsonl" }]);
        await expect(again).rejects.toSatisfy((error) => GatewayError.is(error) && error.code === "STORE_CONFLICT");
      }),
    );
    it(
      "gives a session as it was committed last, as the reader's own",
      withLedger(async (ledger) => {
        await ledger.commit([putSession("agent:main:main", AT, { label: "first" })]);
        const read = await ledger.session("agent:main:main");
        if (read) read.label = "changed by its reader";
        expect(await ledger.session("agent:main:main")).toMatchObject({ label: "first" });
        const change = ledger.commit([putSession("agent:main:main", AT + 1, { label: "second" })]);
        // Read while the change is on its way: that must not be what is given afterwards.
        await ledger.session("agent:main:main");
        await change;
        expect(await ledger.session("agent:main:main")).toMatchObject({ label: "second" });
      }),
    );
    it(
      "replaces and deletes a session",
      withLedger(async (ledger) => {
        await ledger.commit([putSession("agent:main:main", AT, { future: { kept: true } })]);
        await ledger.commit([putSession("agent:main:main", AT + 1, { future: { kept: true }, label: "L" })]);
        expect(await ledger.session("agent:main:main")).toMatchObject({ label: "L", future: { kept: true } });
        expect(await ledger.sessionKeyOf("id-of-agent:main:main")).toBe("agent:main:main");
        await ledger.commit([{ kind: "session-delete", key: "agent:main:main" }]);
        expect(await ledger.session("agent:main:main")).toBeUndefined();
      }),
    );
  });

  describe(`${name} keeps the ledger's promises: outbox, tools, usage, values`, () => {
    it(
      "holds a delivery until it is confirmed, and never adds it twice",
      withLedger(async (ledger) => {
        const item = {
          id: "r:1",
          runId: "r",
          channel: "c",
          account: "a",
          to: "t",
          payload: { text: "x" },
          createdAt: AT,
        };
        await ledger.commit([{ kind: "outbox-add", item }]);
        await ledger.commit([{ kind: "outbox-add", item, deliveredAt: 9 }]);
        expect(await ledger.outbox("pending", 5)).toEqual([{ ...item, attempts: 0, state: "pending" }]);
        await ledger.commit([{ kind: "outbox-state", id: "r:1", state: "delivered", attempts: 1, at: AT + 9 }]);
        expect(await ledger.outbox("pending", 5)).toEqual([]);
        expect(await ledger.outboxOf("r")).toEqual([{ ...item, attempts: 1, state: "delivered", updatedAt: AT + 9 }]);
        expect(await ledger.outboxOf("other")).toEqual([]);
      }),
    );
    it(
      "writes what needs no sending as delivered",
      withLedger(async (ledger) => {
        const item = { id: "r:1", runId: "r", channel: "webchat", account: "a", to: "t", payload: {}, createdAt: AT };
        await ledger.commit([{ kind: "outbox-add", item, deliveredAt: AT + 1 }]);
        expect(await ledger.outboxOf("r")).toEqual([{ ...item, attempts: 1, state: "delivered", updatedAt: AT + 1 }]);
        expect(await ledger.outbox("pending", 5)).toEqual([]);
      }),
    );
    it(
      "keeps the tools that a turn was offered, however many turns are offered the same",
      withLedger(async (ledger) => {
        const trace = {
          route: { agentId: "main" },
          policy: { offered: ["read"], removed: [{ tool: "exec", why: "x" }] },
        };
        for (const runId of ["one", "two"]) {
          await ledger.admit(inboxMessage(runId));
          await ledger.commit([{ kind: "turn-end", runId, at: AT, outcome: { status: "ok", texts: [], trace } }]);
          expect((await ledger.run(runId))?.outcome?.trace).toEqual(trace);
        }
        expect((await ledger.runs({ limit: 2 })).map(({ outcome }) => outcome?.trace)).toEqual([trace, trace]);
      }),
    );
    it(
      "keeps what became of a delivery, and finds it again",
      withLedger(async (ledger) => {
        const item = (id: string, channel: string) => ({
          id,
          runId: "r",
          channel,
          account: "a",
          to: "t",
          payload: {},
          createdAt: AT,
        });
        await ledger.commit([
          { kind: "outbox-add", item: item("r:1", "telegram") },
          { kind: "outbox-add", item: item("r:2", "irc") },
        ]);
        await ledger.commit([
          { kind: "outbox-state", id: "r:1", state: "pending", attempts: 1, at: AT, error: "no connection" },
          { kind: "outbox-state", id: "r:2", state: "delivered", attempts: 1, at: AT, receipt: { messageId: "42" } },
        ]);
        expect(await ledger.delivery("r:1")).toMatchObject({ attempts: 1, error: "no connection", state: "pending" });
        expect(await ledger.delivery("r:2")).toMatchObject({ receipt: { messageId: "42" }, state: "delivered" });
        expect(await ledger.delivery("r:3")).toBeUndefined();
        await ledger.commit([{ kind: "outbox-state", id: "r:1", state: "delivered", attempts: 2, at: AT }]);
        expect(await ledger.delivery("r:1")).toMatchObject({ error: "no connection" });
        expect((await ledger.deliveries({ limit: 5 })).map(({ id }) => id)).toEqual(["r:2", "r:1"]);
        expect((await ledger.deliveries({ limit: 5, channel: "irc" })).map(({ id }) => id)).toEqual(["r:2"]);
        expect(await ledger.deliveries({ limit: 5, state: "undeliverable" })).toEqual([]);
      }),
    );
    it(
      "keeps what happened between turns until it was told, once each",
      withLedger(async (ledger) => {
        const aside = (key: string, kind: "note" | "heard" = "note") =>
          ({ kind: "aside-add", aside: { sessionKey: "s", kind, key, at: AT, body: { text: key } } }) as const;
        await ledger.commit([aside("a"), aside("b", "heard"), aside("a")]);
        const [first, second, ...more] = await ledger.asides("s");
        expect([first?.body, second?.kind, more]).toEqual([{ text: "a" }, "heard", []]);
        await ledger.commit([{ kind: "asides-told", sessionKey: "s", upTo: first?.seq ?? 0 }]);
        expect((await ledger.asides("s")).map(({ key }) => key)).toEqual(["b"]);
        await ledger.commit([aside("a")]);
        expect((await ledger.asides("s")).map(({ key }) => key)).toEqual(["b"]);
        expect(await ledger.asides("other")).toEqual([]);
      }),
    );
    it(
      "forgets the oldest of each kind when there is too much to tell",
      withLedger(async (ledger) => {
        const asides = (kind: "heard" | "note") =>
          Array.from({ length: 205 }, (_, n) => ({
            kind: "aside-add" as const,
            aside: { sessionKey: "s", kind, key: `${kind}-${n}`, at: AT, body: {} },
          }));
        await ledger.commit([...asides("note"), ...asides("heard")]);
        const left = await ledger.asides("s");
        expect([left.length, left[0]?.key, left[200]?.key]).toEqual([400, "note-5", "heard-5"]);
      }),
    );
    it(
      "tells finished tool calls from interrupted ones",
      withLedger(async (ledger) => {
        const start = (toolCallId: string): Change => ({
          kind: "tool-start",
          runId: "r",
          toolCallId,
          name: "t",
          args: {},
          at: AT,
        });
        await ledger.commit([start("1"), start("2")]);
        await ledger.commit([{ kind: "tool-end", runId: "r", toolCallId: "1", isError: false, at: AT + 1 }]);
        expect(await ledger.toolCalls("r")).toEqual([
          { toolCallId: "1", name: "t", startedAt: AT, endedAt: AT + 1, isError: false },
          { toolCallId: "2", name: "t", startedAt: AT },
        ]);
      }),
    );
    it(
      "counts all usage of one instant, and only what lies between the ends of a range",
      withLedger(async (ledger) => {
        const usage = { ...USAGE_OF, provider: "p", model: "m", input: 1, output: 0, cacheRead: 0, cacheWrite: 0 };
        const times = [AT + 1, AT, AT, AT - 1, AT, AT + 2];
        await ledger.commit(times.map((at): Change => ({ kind: "usage-add", usage: { ...usage, at } })));
        const calls = async (from: number, to: number) => (await ledger.usageTotal({ from, to })).calls;
        expect(await calls(AT, AT + 1)).toBe(3);
        expect(await calls(AT - 1, AT)).toBe(1);
        expect(await calls(AT + 1, AT + 3)).toBe(2);
        expect(await calls(0, Number.MAX_SAFE_INTEGER)).toBe(6);
      }),
    );
    it(
      "adds usage up by the day of the asker",
      withLedger(async (ledger) => {
        const usage = { ...USAGE_OF, provider: "p", model: "m" };
        const tokens = { input: 10, output: 2, cacheRead: 5, cacheWrite: 1 };
        const late = Date.UTC(2026, 0, 15, 23, 30);
        await ledger.commit([
          {
            kind: "usage-add",
            usage: { ...usage, ...tokens, at: AT, cost: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } },
          },
          { kind: "usage-add", usage: { ...usage, ...tokens, at: late } },
        ]);
        const range = { from: AT - 1, to: late + 1 };
        expect(await ledger.usageByDay({ ...range, offsetMinutes: 0 })).toEqual([
          {
            date: "2026-01-15",
            calls: 2,
            input: 20,
            output: 4,
            cacheRead: 10,
            cacheWrite: 2,
            inputCost: 1,
            outputCost: 2,
            cacheReadCost: 3,
            cacheWriteCost: 4,
            missingCostEntries: 1,
          },
        ]);
        const east = await ledger.usageByDay({ ...range, offsetMinutes: 60 });
        expect(east.map(({ date, input }) => [date, input])).toEqual([
          ["2026-01-15", 10],
          ["2026-01-16", 10],
        ]);
      }),
    );
    it(
      "adds usage up by whom it belongs to",
      withLedger(async (ledger) => {
        const spent = (of: Partial<UsageRecord>, input: number): Change => ({
          kind: "usage-add",
          usage: {
            ...USAGE_OF,
            provider: "p",
            model: "m",
            at: AT,
            input,
            output: 0,
            cacheRead: 0,
            cacheWrite: 0,
            ...of,
            cost: { input, output: 0, cacheRead: 0, cacheWrite: 0 },
          },
        });
        await ledger.commit([
          spent({ agentId: "a", channel: "telegram" }, 1),
          spent({ agentId: "b", person: "ann" }, 5),
          spent({ agentId: "a", job: "j" }, 2),
          spent({ agentId: "a", at: AT + 1000 }, 100),
        ]);
        const range = { from: AT, to: AT + 1000 };
        const names = async (dimension: UsageDimension) =>
          (await ledger.usageBy(dimension, range, 9)).map(({ name, calls, inputCost }) => [name, calls, inputCost]);
        expect(await names("agent")).toEqual([
          ["b", 1, 5],
          ["a", 2, 3],
        ]);
        expect(await names("person")).toEqual([
          ["ann", 1, 5],
          ["", 2, 3],
        ]);
        expect(await names("model")).toEqual([["p/m", 3, 8]]);
        expect(await ledger.usageBy("agent", range, 1)).toHaveLength(1);
        expect(await ledger.usageTotal(range)).toMatchObject({ calls: 3, input: 8, inputCost: 8 });
        expect(await ledger.usageTotal({ ...range, of: { agent: "a", job: "j" } })).toMatchObject({
          calls: 1,
          input: 2,
        });
        expect(await ledger.usageTotal({ ...range, of: { agent: "none" } })).toMatchObject({ calls: 0, input: 0 });
      }),
    );
    it(
      "keeps named values",
      withLedger(async (ledger) => {
        await ledger.commit([{ kind: "value-put", key: "k", value: "1" }]);
        await ledger.commit([{ kind: "value-put", key: "k", value: "2" }]);
        expect(await ledger.value("k")).toBe("2");
        expect(await ledger.value("none")).toBeUndefined();
      }),
    );
  });
}
