// The mirror's files against both ledgers: what they hold, and what they become after a crash at any byte.
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, Ledger, Logger } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createIds } from "../../../base/ids.ts";
import { createImporter, createMirror, openDatabase, SqliteLedger, type Mirror, type MirrorOptions } from "../room.ts";

const root = mkdtempSync(join(tmpdir(), "chela-mirror-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const HOME = "agent:main:main";
const AT = Date.UTC(2026, 1, 26, 10, 11, 12, 345);
const STAMP = "2026-02-26T10-11-12.345Z";

interface Setup {
  readonly stateDir: string;
  readonly ledger: Ledger;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly told: string[];
  readonly log: Logger;
  readonly parts: Omit<MirrorOptions, "homeSessionKey">;
  mirror(over?: Partial<MirrorOptions>): Mirror;
  file(name: string, agentId?: string): string;
  read(name: string, agentId?: string): string;
}

function recordingLog(told: string[]): Logger {
  const log: Logger = {
    log: (level, text) => void told.push(`${level} ${text}`),
    trace: () => {},
    debug: () => {},
    info: (text) => log.log("info", text),
    warn: (text) => log.log("warn", text),
    error: (text) => log.log("error", text),
    child: () => log,
  };
  return log;
}

let count = 0;
function setUp(kind: "memory" | "sqlite"): Setup {
  const stateDir = join(root, `state-${++count}`);
  mkdirSync(stateDir);
  const ledger =
    kind === "memory" ? createMemoryLedger() : new SqliteLedger(openDatabase(join(stateDir, "ledger.sqlite")));
  const clock = createFakeClock(AT);
  const told: string[] = [];
  const log = recordingLog(told);
  const file = (name: string, agentId = "main"): string => join(stateDir, "agents", agentId, "sessions", name);
  const parts = { ledger, stateDir, clock, log, ids: createIds() };
  return {
    stateDir,
    ledger,
    clock,
    told,
    log,
    parts,
    file,
    mirror: (over) => {
      return createMirror({ ...parts, homeSessionKey: () => HOME, strangers: createImporter(parts), ...over });
    },
    read: (name, agentId) => readFileSync(file(name, agentId), "utf8"),
  };
}

/** The same ledger, with some of what it does done otherwise. */
function overriding(ledger: Ledger, over: Partial<Ledger>): Ledger {
  return new Proxy(ledger, {
    get(target, name) {
      const value: unknown = Reflect.get(over, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const header = (id: string) => ({ type: "session" as const, version: 3, id, timestamp: new Date(AT).toISOString() });
const openChange = (sessionId: string, sessionKey = HOME, agentId = "main"): Change => ({
  kind: "transcript-open",
  sessionId,
  sessionKey,
  agentId,
  header: header(sessionId),
  file: `${sessionId}.jsonl`,
});
const lineOf = (id: string, parentId: string | null = null): string =>
  JSON.stringify({
    type: "message",
    id,
    parentId,
    timestamp: new Date(AT).toISOString(),
    message: { role: "custom", note: `é ${id}` },
  });
const append = (sessionId: string, ...ids: string[]): Change => ({
  kind: "entries-append",
  sessionId,
  entries: ids.map((id) => ({ id, line: lineOf(id, parentOf(id)) })),
});
const parentOf = (id: string): string | null => {
  const number = Number.parseInt(id, 16) - 1;
  return number <= 0 ? null : number.toString(16).padStart(8, "0");
};
const put = (key: string, sessionId: string, over: object = {}): Change => ({
  kind: "session-put",
  key,
  entry: { sessionId, updatedAt: AT, ...over },
});
async function wanted(ledger: Ledger, sessionId: string): Promise<string> {
  const transcript = await ledger.transcript(sessionId);
  const entries = await ledger.entries(sessionId);
  return [JSON.stringify(transcript?.header), ...entries.map(({ line }) => line)].map((line) => `${line}\n`).join("");
}
const [E1, E2, E3, E4] = ["00000001", "00000002", "00000003", "00000004"] as const;

for (const kind of ["memory", "sqlite"] as const) {
  describe(`The mirror of a ${kind} ledger`, () => {
    it("takes a restored conversation's file back from its archive, also when it was killed before", async () => {
      const { ledger, file, read, stateDir, mirror } = setUp(kind);
      const names = () =>
        readdirSync(join(stateDir, "agents", "main", "sessions")).filter((name) => name.startsWith("s1"));
      await ledger.commit([openChange("s1"), append("s1", E1, E2), put(HOME, "s1")]);
      const first = mirror();
      first.start();
      await first.flush();
      const before = read("s1.jsonl");
      const archive = "s1.jsonl.deleted.2026-01-15T12-00-00.000Z";
      await ledger.commit([
        { kind: "transcript-archive", sessionId: "s1", reason: "deleted", at: AT, file: archive },
        { kind: "session-delete", key: HOME },
      ]);
      await first.stop();
      expect(names()).toEqual([archive]);
      // Nobody follows this commit, as after a kill.
      await ledger.commit([{ kind: "transcript-restore", sessionId: "s1", file: "s1.jsonl" }, put(HOME, "s1")]);
      const second = mirror();
      second.start();
      await second.stop();
      expect(names()).toEqual(["s1.jsonl"]);
      expect(read("s1.jsonl")).toBe(before);
      expect(JSON.parse(readFileSync(file("sessions.json"), "utf8"))[HOME]).toMatchObject({ sessionId: "s1" });
      expect(await ledger.unmirrored(5)).toEqual([]);
    });

    it("writes transcripts, the session index and the home session within a second, by itself", async () => {
      const { ledger, clock, file, read, stateDir, mirror } = setUp(kind);
      const running = mirror();
      running.start();
      await ledger.admit({
        runId: "r",
        channel: "webchat",
        account: "a",
        messageId: "m",
        agentId: "main",
        sessionKey: HOME,
        body: { text: "hello", client: { mode: "cli" } },
        admittedAt: AT,
      });
      await ledger.commit([openChange("s1"), append("s1", E1, E2), put(HOME, "s1", { future: { kept: 1 } })]);
      await ledger.commit([
        append("s1", E3),
        { kind: "turn-end", runId: "r", at: AT + 5, outcome: { status: "ok", texts: ["hi", "there"] } },
      ]);
      await clock.advance(900);
      await vi.waitFor(() => existsSync(join(stateDir, "sessions/default.json")) || expect.fail("no home session yet"));
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      expect(JSON.parse(read("sessions.json"))).toEqual({
        [HOME]: { sessionId: "s1", updatedAt: AT, future: { kept: 1 }, sessionFile: file("s1.jsonl") },
      });
      expect(JSON.parse(readFileSync(join(stateDir, "sessions/default.json"), "utf8"))).toEqual({
        id: "home",
        created_at: "2026-02-26T10:11:12.345Z",
        updated_at: "2026-02-26T10:11:12.350Z",
        messages: [
          {
            id: "1",
            user_text: "hello",
            bot_text: "hi\n\nthere",
            channel: "cli",
            sent_at: "2026-02-26T10:11:12.345Z",
            replied_at: "2026-02-26T10:11:12.350Z",
          },
        ],
      });
      expect(statSync(file("s1.jsonl")).mode & 0o777).toBe(0o600);
      expect(statSync(file(".")).mode & 0o777).toBe(0o700);
      await running.stop();
      await ledger.close();
    });

    it("a session that is slow to read holds up no other", async () => {
      const { ledger, clock, read, parts } = setUp(kind);
      const slow = Promise.withResolvers<void>();
      let isSlow = false;
      const entries: Ledger["entries"] = async (id, query) => {
        if (isSlow && id === "slow") await slow.promise;
        return ledger.entries(id, query);
      };
      const running = createMirror({ ...parts, ledger: overriding(ledger, { entries }), homeSessionKey: () => HOME });
      running.start();
      const all = ["slow", "s2", "s3"];
      await ledger.commit(all.flatMap((id) => [openChange(id, `agent:main:${id}`), append(id, E1)]));
      await running.flush();
      isSlow = true;
      await ledger.commit(all.map((id) => append(id, E2)));
      await clock.advance(900);
      for (const id of ["s2", "s3"])
        await vi.waitFor(async () => expect(read(`${id}.jsonl`)).toBe(await wanted(ledger, id)));
      slow.resolve();
      await running.stop();
      expect(read("slow.jsonl")).toBe(await wanted(ledger, "slow"));
      await ledger.close();
    });

    it("a small index that a busy machine took long to write rests no longer than others", async () => {
      const { ledger, clock, read, parts } = setUp(kind);
      let isBusy = false;
      const sessions: Ledger["sessions"] = async (query) => {
        if (isBusy) await clock.advance(400);
        return ledger.sessions(query);
      };
      const running = createMirror({ ...parts, ledger: overriding(ledger, { sessions }), homeSessionKey: () => HOME });
      running.start();
      await ledger.commit([openChange("s1"), append("s1", E1), put(HOME, "s1")]);
      await running.flush();
      isBusy = true;
      await ledger.commit([put(HOME, "s1", { label: "first" })]);
      await running.flush();
      isBusy = false;
      await ledger.commit([put(HOME, "s1", { label: "second" })]);
      for (let passed = 0; passed < 900; passed += 50) {
        await clock.advance(50);
        // Comes behind whatever the mirror is at.
        await running.takeOverHome();
      }
      expect(JSON.parse(read("sessions.json"))[HOME]).toMatchObject({ label: "second" });
      await running.stop();
      await ledger.close();
    });

    it("appends only what is new, and tells the ledger how far it is", async () => {
      const { ledger, read, file, mirror } = setUp(kind);
      const running = mirror();
      running.start();
      await ledger.commit([openChange("s1"), append("s1", E1)]);
      await running.flush();
      const inode = statSync(file("s1.jsonl")).ino;
      await ledger.commit([append("s1", E2)]);
      await running.flush();
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      expect(statSync(file("s1.jsonl")).ino).toBe(inode);
      expect(await ledger.unmirrored(10)).toEqual([]);
      await running.stop();
      await ledger.close();
    });

    it("never writes an entry the mark beside the ledger does not cover yet", async () => {
      const { ledger, stateDir, clock, log, file } = setUp(kind);
      await ledger.commit([openChange("s1"), append("s1", E1)]);
      // Committed between the look at the transcript and the look at its entries.
      const meanwhile = [E2, E3];
      const racing = new Proxy(ledger, {
        get(target, name) {
          const value = Reflect.get(target, name) as unknown;
          if (typeof value !== "function") return value;
          if (name !== "entries") return value.bind(target) as unknown;
          return async (...args: Parameters<Ledger["entries"]>) => {
            const next = meanwhile.shift();
            if (next) await target.commit([append("s1", next)]);
            return target.entries(...args);
          };
        },
      });
      const mirror = createMirror({
        ledger: racing,
        stateDir,
        clock,
        log,
        ids: createIds(),
        homeSessionKey: () => HOME,
      });
      mirror.start();
      for (let round = 0; round < 4; round++) {
        await mirror.flush();
        const { seq } = JSON.parse(readFileSync(join(stateDir, "ledger.mirrored"), "utf8")) as { seq: number };
        const covered = (await ledger.entries("s1")).filter((entry) => entry.seq <= seq);
        expect(readFileSync(file("s1.jsonl"), "utf8").trimEnd().split("\n").length - 1).toBe(covered.length);
      }
      await mirror.stop();
      expect(readFileSync(file("s1.jsonl"), "utf8")).toBe(await wanted(ledger, "s1"));
    });

    it("lists many sessions exactly once each, also those of no agent, though some change meanwhile", async () => {
      const { ledger, read, mirror } = setUp(kind);
      await ledger.commit(
        Array.from({ length: 450 }, (_, n) => put(`agent:main:x:${n}`, `s${n}`, { updatedAt: AT + n })),
      );
      await ledger.commit([put("global", "g"), put("agent:other:main", "o")]);
      const running = mirror();
      running.start();
      const flushed = running.flush();
      await ledger.commit([
        put("agent:main:x:3", "s3", { updatedAt: AT + 9000 }),
        { kind: "session-delete", key: "agent:main:x:449" },
      ]);
      await flushed;
      await running.flush();
      const index = JSON.parse(read("sessions.json"));
      expect(Object.keys(index).length).toBe(450);
      expect(index["global"]).toBeDefined();
      expect(index["agent:main:x:3"].updatedAt).toBe(AT + 9000);
      expect(Object.keys(JSON.parse(read("sessions.json", "other")))).toEqual(["agent:other:main"]);
      await running.stop();
      await ledger.close();
    });

    it("is exact after a crash at any byte of the last two lines", async () => {
      const { ledger, file, read, mirror } = setUp(kind);
      await ledger.commit([openChange("s1"), append("s1", E1, E2, E3)]);
      const whole = Buffer.from(await wanted(ledger, "s1"));
      mkdirSync(file("."), { recursive: true });
      const from = whole.lastIndexOf(10, whole.lastIndexOf(10, whole.length - 2) - 1);
      for (let length = from; length <= whole.length; length++) {
        await ledger.commit([{ kind: "mirrored", sessionId: "s1", seq: -1, file: "s1.jsonl" }]);
        writeFileSync(file("s1.jsonl"), whole.subarray(0, length));
        await mirror().flush();
        expect(readFileSync(file("s1.jsonl")).equals(whole)).toBe(true);
      }
      expect(readdirSync(file(".")).filter((name) => name.startsWith("s1"))).toEqual(["s1.jsonl"]);
      expect(read("s1.jsonl")).toBe(whole.toString());
      await ledger.close();
    });

    it.each([
      ["is empty", ""],
      ["has half a header", '{"type":"session","ver'],
      ["ends in zeros", `${JSON.stringify(header("s1"))}\n${lineOf(E1)}\n\0\0\0\0\n`],
    ])("is exact when a file %s", async (_, content) => {
      const { ledger, file, read, mirror } = setUp(kind);
      await ledger.commit([openChange("s1"), append("s1", E1, E2)]);
      mkdirSync(file("."), { recursive: true });
      writeFileSync(file("s1.jsonl"), content);
      await mirror().flush();
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      expect(readdirSync(file(".")).filter((name) => name.includes(".bak."))).toEqual([]);
      await ledger.close();
    });

    it("repairs a line that somebody left half written between two appends", async () => {
      const { ledger, file, read, mirror } = setUp(kind);
      const running = mirror();
      running.start();
      await ledger.commit([openChange("s1"), append("s1", E1)]);
      await running.flush();
      writeFileSync(file("s1.jsonl"), '{"type":"mess', { flag: "a" });
      await ledger.commit([append("s1", E2)]);
      await running.flush();
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      await running.stop();
      await ledger.close();
    });

    it("rebuilds a file that is gone although it was written", async () => {
      const { ledger, file, read, mirror } = setUp(kind);
      await ledger.commit([openChange("s1"), append("s1", E1), put(HOME, "s1")]);
      await mirror().flush();
      expect(await ledger.unmirrored(1)).toEqual([]);
      rmSync(file("s1.jsonl"));
      await mirror().flush();
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      await ledger.close();
    });

    it.each(["while it runs", "when it starts again"])("renames an archived transcript %s", async (when) => {
      const { ledger, file, read, mirror } = setUp(kind);
      const running = mirror();
      running.start();
      await ledger.commit([openChange("s1"), append("s1", E1)]);
      await running.flush();
      if (when === "when it starts again") await running.stop();
      const name = `s1.jsonl.reset.${STAMP}`;
      await ledger.commit([{ kind: "transcript-archive", sessionId: "s1", reason: "reset", at: AT, file: name }]);
      await (when === "while it runs" ? running : mirror()).flush();
      expect(existsSync(file("s1.jsonl"))).toBe(false);
      expect(read(name)).toBe(await wanted(ledger, "s1"));
      expect(await ledger.unmirrored(1)).toEqual([]);
      await running.stop();
      await ledger.close();
    });

    it("needs few turns of a busy loop, so that the files of many sessions are not behind, new ones or not", async () => {
      const { ledger, clock, read, mirror } = setUp(kind);
      const running = mirror();
      running.start();
      await running.flush();
      const names = Array.from({ length: 40 }, (_, at) => `s${at}`);
      const keyOf = (name: string): string => `agent:main:${name}`;
      const expectSoon = async (id: string, label: string): Promise<void> => {
        await clock.advance(100);
        for (let turn = 0; turn < 8; turn++) await nextTurn();
        for (const name of names) {
          expect(read(`${name}.jsonl`)).toContain(id);
          expect(read("sessions.json")).toContain(`"${label} ${name}"`);
        }
      };
      await ledger.commit(
        names.flatMap((name) => [
          openChange(name, keyOf(name)),
          append(name, E1),
          put(keyOf(name), name, { label: `old ${name}` }),
        ]),
      );
      await expectSoon(E1, "old");
      await clock.advance(1_000);
      await ledger.commit(
        names.flatMap((name) => [append(name, E2), put(keyOf(name), name, { label: `new ${name}` })]),
      );
      await expectSoon(E2, "new");
      await running.stop();
      await ledger.close();
    });

    it("has its share of a loop that is busy with others, however long each turn of theirs is", async () => {
      const { ledger, clock, file, mirror, parts } = setUp(kind);
      let spent = 0;
      let isOver = false;
      // Each look at the clock is a millisecond of work; others take a quarter of a second of each turn.
      const busyClock = { ...clock, steady: () => clock.steady() + (spent += 1) };
      const others = (): void => {
        spent += 250;
        if (!isOver) setImmediate(others);
      };
      const running = mirror({ clock: busyClock });
      running.start();
      await running.flush();
      const names = Array.from({ length: 200 }, (_, at) => `s${at}`);
      await ledger.commit(names.flatMap((name) => [openChange(name, `agent:main:${name}`), append(name, E1)]));
      const began = spent;
      others();
      await clock.advance(100);
      while (!names.every((name) => existsSync(file(`${name}.jsonl`)))) await nextTurn();
      isOver = true;
      expect(spent - began).toBeLessThan(200 * 10);
      await running.stop();
      await parts.ledger.close();
    });

    it("writes what was said meanwhile before it goes on telling the ledger how far the files are", async () => {
      const { ledger, clock, read, mirror } = setUp(kind);
      const names = Array.from({ length: 100 }, (_, at) => `s${at}`);
      const told: number[] = [];
      let behind = "";
      const commit = async (changes: readonly Change[]): ReturnType<Ledger["commit"]> => {
        const count = changes.filter(({ kind }) => kind === "mirrored").length;
        if (count > 0) {
          // What was said when the last part was told.
          if (told.length > 0) behind += read("s0.jsonl").includes(idOf(told.length)) ? "" : `${told.length} `;
          told.push(count);
          await ledger.commit([append("s0", idOf(told.length))]);
        }
        return ledger.commit(changes);
      };
      const idOf = (n: number): string => (n + 1).toString(16).padStart(8, "0");
      const running = mirror({ ledger: overriding(ledger, { commit }) });
      running.start();
      await running.flush();
      await ledger.commit(names.flatMap((name) => [openChange(name, `agent:main:${name}`), append(name, E1)]));
      for (let step = 0; step < 60; step++) {
        await clock.advance(1_000);
        await running.takeOverHome();
      }
      expect(told.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(100);
      expect(told.length).toBeGreaterThan(3);
      expect(behind).toBe("");
      await running.stop();
      await ledger.close();
    });

    it("renames a transcript that is archived while its file is being written", async () => {
      const { ledger, file, read, parts } = setUp(kind);
      const name = `s1.jsonl.reset.${STAMP}`;
      const archive: Change = { kind: "transcript-archive", sessionId: "s1", reason: "reset", at: AT, file: name };
      let isArchived = false;
      const racing = overriding(ledger, {
        async entries(...args) {
          const entries = await ledger.entries(...args);
          if (!isArchived) await ledger.commit([archive]);
          isArchived = true;
          return entries;
        },
      });
      const running = createMirror({ ...parts, ledger: racing, homeSessionKey: () => HOME });
      running.start();
      await ledger.commit([openChange("s1"), append("s1", E1)]);
      await running.flush();
      await running.flush();
      expect(isArchived).toBe(true);
      expect(existsSync(file("s1.jsonl"))).toBe(false);
      expect(read(name)).toBe(await wanted(ledger, "s1"));
      await running.stop();
      await ledger.close();
    });

    it.each(["while it runs", "when it starts again"])("keeps the long file of a cut transcript %s", async (when) => {
      const { ledger, file, read, mirror } = setUp(kind);
      const running = mirror();
      running.start();
      await ledger.commit([openChange("s1"), append("s1", E1, E2, E3)]);
      await running.flush();
      const before = read("s1.jsonl");
      if (when === "when it starts again") await running.stop();
      await ledger.commit([{ kind: "transcript-cut", sessionId: "s1", keep: 1 }]);
      await (when === "while it runs" ? running : mirror()).flush();
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      expect(read("s1.jsonl").split("\n").length).toBe(3);
      expect(read(`s1.jsonl.bak.${STAMP}`)).toBe(before);
      // A crash before the ledger was told must not make a second copy.
      await ledger.commit([{ kind: "mirrored", sessionId: "s1", seq: -1, file: "s1.jsonl" }]);
      await mirror().flush();
      expect(readdirSync(file(".")).filter((name) => name.includes(".bak.")).length).toBe(1);
      await running.stop();
      await ledger.close();
    });

    it("writes new pairs of the home session at the end of its file, and one that ended late where it belongs", async () => {
      const { ledger, stateDir, mirror } = setUp(kind);
      const path = join(stateDir, "sessions/default.json");
      const admit = (runId: string) =>
        ledger.admit({
          runId,
          channel: "webchat",
          account: "default",
          messageId: runId,
          agentId: "main",
          sessionKey: HOME,
          body: { text: `asked ${runId}` },
          admittedAt: AT,
        });
      const end = (runId: string) =>
        ledger.commit([{ kind: "turn-end", runId, at: AT, outcome: { status: "ok", texts: [`answer ${runId}`] } }]);
      const asked = (): string[] =>
        JSON.parse(readFileSync(path, "utf8")).messages.map((pair: { user_text: string }) => pair.user_text);
      const running = mirror();
      running.start();
      await ledger.commit([openChange("s1"), put(HOME, "s1")]);
      for (const runId of ["a", "b"]) await admit(runId).then(() => end(runId));
      await running.flush();
      const before = readFileSync(path, "utf8");
      for (const runId of ["late", "c"]) await admit(runId);
      await end("c");
      await ledger.commit([put(HOME, "s1", { updatedAt: AT + 1 })]);
      await running.flush();
      expect(asked()).toEqual(["asked a", "asked b", "asked c"]);
      const shared = before.slice(0, before.indexOf("\n  ],"));
      expect(readFileSync(path, "utf8").startsWith(shared)).toBe(true);
      await end("late");
      await ledger.commit([put(HOME, "s1", { updatedAt: AT + 2 })]);
      await running.flush();
      expect(asked()).toEqual(["asked a", "asked b", "asked late", "asked c"]);
      await running.stop();
      await ledger.close();
    });

    it("is never more than a second behind, however bursts fall", async () => {
      const { ledger, read, mirror, clock } = setUp(kind);
      await ledger.commit([openChange("s1"), put(HOME, "s1")]);
      const running = mirror();
      running.start();
      const pauses = [10, 150, 700, 90, 2_600];
      for (const [n, pause] of pauses.entries()) {
        const id = (n + 1).toString(16).padStart(8, "0");
        await ledger.commit([append("s1", id), put(HOME, "s1", { updatedAt: AT + n + 1, label: id })]);
        for (let step = 0; step < 10; step++) {
          await clock.advance(100);
          // Its work is done one piece after the other, so what is asked now comes after what it is at: the disk takes no time.
          await running.takeOverHome();
        }
        expect(read("s1.jsonl")).toContain(id);
        expect(read("sessions.json")).toContain(`"label":"${id}"`);
        await clock.advance(pause);
      }
      await running.stop();
      await ledger.close();
    });

    it("takes over entries of the file that the ledger has lost", async () => {
      const { ledger, file, read, mirror, told } = setUp(kind);
      await ledger.commit([openChange("s1"), append("s1", E1, E2)]);
      mkdirSync(file("."), { recursive: true });
      const content = [JSON.stringify(header("s1")), lineOf(E1), lineOf(E2, E1), lineOf(E3, E2), lineOf(E4, E3)];
      writeFileSync(file("s1.jsonl"), `${content.join("\n")}\n`);
      await mirror().flush();
      expect((await ledger.entries("s1")).map(({ line }) => JSON.parse(line).id)).toEqual([E1, E2, E3, E4]);
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      expect(told.join()).toContain("taken over");
      await ledger.close();
    });

    it("keeps aside a file that has nothing to do with the ledger's transcript", async () => {
      const { ledger, file, read, mirror } = setUp(kind);
      await ledger.commit([openChange("s1"), append("s1", E1)]);
      mkdirSync(file("."), { recursive: true });
      const foreign = `${JSON.stringify(header("s9"))}\n${lineOf("aaaaaaaa")}\n${lineOf("bbbbbbbb", "aaaaaaaa")}\n`;
      writeFileSync(file("s1.jsonl"), foreign);
      await mirror().flush();
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      expect(read(`s1.jsonl.bak.${STAMP}`)).toBe(foreign);
      await ledger.close();
    });

    it("joins what two programs began under one session id before either had seen the other's words", async () => {
      const { ledger, file, read, mirror } = setUp(kind);
      await ledger.commit([openChange("s1"), append("s1", E1)]);
      mkdirSync(file("."), { recursive: true });
      const theirs = `${JSON.stringify(header("s1"))}\n${lineOf("aaaaaaaa")}\n${lineOf("bbbbbbbb", "aaaaaaaa")}\n`;
      writeFileSync(file("s1.jsonl"), theirs);
      await mirror().flush();
      expect((await ledger.entries("s1")).map(({ line }) => JSON.parse(line).id)).toEqual([E1, "aaaaaaaa", "bbbbbbbb"]);
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      await ledger.close();
    });

    it("takes no conversation of its own for a stranger's, killed at any instant of its end or its return", async () => {
      const { ledger, file, read, mirror, stateDir, told } = setUp(kind);
      const end = (sessionId: string, at: number): Change => {
        const name = `${sessionId}.jsonl.reset.${new Date(at).toISOString().replaceAll(":", "-")}`;
        return { kind: "transcript-archive", sessionId, reason: "reset", at, file: name };
      };
      const restore = (sessionId: string): Change => {
        return { kind: "transcript-restore", sessionId, file: `${sessionId}.jsonl` };
      };
      const names = ["ended", "half", "cut", "empty", "back", "more", "later", "other"];
      for (const id of names) await ledger.commit([openChange(id), append(id, E1, E2)]);
      const texts = new Map<string, string>();
      for (const id of names) texts.set(id, await wanted(ledger, id));
      mkdirSync(file("."), { recursive: true });
      const leave = (id: string, text: string, name = `${id}.jsonl`): void => writeFileSync(file(name), text);
      const textOf = (id: string): string => texts.get(id) ?? "";
      leave("ended", textOf("ended"));
      leave("half", textOf("half").slice(0, -20));
      leave("cut", textOf("cut"));
      leave("empty", "");
      leave("more", `${textOf("more")}${lineOf(E3, E2)}\n`);
      leave("back", textOf("back"), `back.jsonl.reset.${STAMP}`);
      leave("later", textOf("later"), `later.jsonl.reset.${STAMP}`);
      // Without a header: somebody who had the file open went on after it was renamed.
      leave("later", `${lineOf(E3, E2)}\n`);
      const foreign = `${JSON.stringify(header("other"))}\n${lineOf("aaaaaaaa")}\n`;
      leave("other", textOf("other"), `other.jsonl.reset.${STAMP}`);
      leave("other", foreign);
      await ledger.commit([{ kind: "transcript-cut", sessionId: "cut", keep: 1 }]);
      for (const id of names) await ledger.commit([end(id, AT)]);
      await ledger.commit([restore("back"), put("agent:main:back", "back")]);
      await ledger.commit([end("back", AT + 1)]);
      await ledger.commit([restore("back")]);

      await mirror().takeOver();
      expect((await ledger.sessions({ includeHidden: true })).map(({ key }) => key)).toEqual(["agent:main:back"]);
      expect((await ledger.transcripts({})).map(({ sessionId }) => sessionId)).toEqual(names);
      const idsOf = async (id: string): Promise<string[]> =>
        (await ledger.entries(id, { all: true })).map(({ line }) => JSON.parse(line).id);
      for (const id of names)
        expect([id, ...(await idsOf(id))]).toEqual([id, E1, E2, ...(["more", "later"].includes(id) ? [E3] : [])]);
      expect(told.join()).toContain("other.jsonl has the name of a conversation that was ended");

      await mirror().flush();
      for (const id of names) {
        const name = id === "back" ? "back.jsonl" : `${id}.jsonl.reset.${STAMP}`;
        expect(read(name)).toBe(await wanted(ledger, id));
      }
      expect(read("other.jsonl")).toBe(foreign);
      expect(existsSync(join(stateDir, "agents/main/sessions/ended.jsonl"))).toBe(false);
      await ledger.close();
    });

    it("takes no index of its own for a stranger's, killed before the ledger was told of it", async () => {
      const { ledger, clock, file, read, mirror } = setUp(kind);
      const [gone, kept] = ["agent:main:gone", "agent:main:kept"];
      const index = file("sessions.json");
      const running = mirror();
      running.start();
      const until = async (isThere: (text: string) => boolean): Promise<void> => {
        while (!existsSync(index) || !isThere(read("sessions.json"))) {
          await clock.advance(50);
          await running.takeOverHome();
        }
      };
      const expectOurs = async (): Promise<void> => {
        await mirror().takeOver();
        expect(await ledger.session(gone)).toBeUndefined();
        expect(await ledger.session(kept)).toEqual({ sessionId: "s2", updatedAt: AT });
      };
      // Nothing was said in it, so that nothing is left of it when it is deleted.
      await ledger.commit([put(gone, "s1"), put(kept, "s2", { label: "before" })]);
      await until((text) => text.includes(gone));
      linkSync(index, `${index}.kept`);
      await ledger.commit([{ kind: "session-delete", key: gone }, put(kept, "s2")]);
      await expectOurs();
      // Killed when the next one was ready and had no name yet.
      await until((text) => !text.includes(gone));
      renameSync(`${index}.kept`, index);
      await expectOurs();
      await running.stop();
      await ledger.close();
    });

    it("does not let files that cannot be written hold up the others", async () => {
      const { ledger, read, mirror } = setUp(kind);
      const bad = Array.from({ length: 230 }, (_, n) => ({ ...openChange(`bad${n}`), file: "../bad.jsonl" }) as Change);
      await ledger.commit([...bad, openChange("s1"), append("s1", E1)]);
      await mirror().flush();
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
      await ledger.close();
    });

    it("never writes outside the state directory", async () => {
      const { ledger, stateDir, mirror, told } = setUp(kind);
      const outside: Change = { ...openChange("s1"), file: "../../../../escaped.jsonl" } as Change;
      const otherAgent = openChange("s2", "agent:../../evil:x", "../../evil");
      await ledger.commit([
        outside,
        append("s1", E1),
        otherAgent,
        append("s2", E1),
        openChange("s3"),
        append("s3", E1),
      ]);
      await ledger.commit([put("agent:../../evil:x", "s2"), put(HOME, "../../../../x")]);
      await mirror().flush();
      expect(readdirSync(root).filter((name) => !name.startsWith("state-"))).toEqual([]);
      expect(readdirSync(join(stateDir, "agents"))).toEqual(["main"]);
      expect(readdirSync(join(stateDir, "agents/main/sessions"))).toEqual(["s3.jsonl", "sessions.json"]);
      expect(told.join()).toContain("could not be written");
      await ledger.close();
    });
  });
}

describe("A mirror that cannot write", () => {
  it("says why once, goes on with other files, and catches up by itself", async () => {
    const { ledger, file, read, clock, mirror, told } = setUp("memory");
    const running = mirror();
    running.start();
    await ledger.commit([openChange("s1"), append("s1", E1), openChange("s2"), append("s2", E1)]);
    // A directory in the place of the file fails for every user, root included.
    mkdirSync(file("s1.jsonl"), { recursive: true });
    await clock.advance(200);
    await vi.waitFor(() => existsSync(file("s2.jsonl")) || expect.fail("the other file was not written"));
    await ledger.commit([append("s1", E2)]);
    await running.flush();
    expect(told.filter((line) => line.startsWith("error")).length).toBe(1);
    rmSync(file("s1.jsonl"), { recursive: true });
    await vi.waitFor(async () => {
      await clock.advance(1_000);
      expect(read("s1.jsonl")).toBe(await wanted(ledger, "s1"));
    });
    expect(told.at(-1)).toContain("written again");
    await running.stop();
  });

  it.skipIf(process.getuid?.() === 0)("names missing permissions as the cause", async () => {
    const { ledger, stateDir, mirror, told } = setUp("memory");
    await ledger.commit([openChange("s1"), append("s1", E1)]);
    chmodSync(stateDir, 0o500);
    await mirror().flush();
    chmodSync(stateDir, 0o700);
    expect(told.join()).toContain("permissions");
  });
});
