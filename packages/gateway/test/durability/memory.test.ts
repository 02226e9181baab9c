// Memory when its processes are killed: the next question is answered, nothing is lost, nothing is there twice.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sessionsDirectory } from "../support/durability/durability-fixtures.ts";
import { startModelServer } from "../support/durability/durability-model.ts";
import { createWorkshop, type GatewayProcess } from "../support/durability/durability-workshop.ts";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import {
  endKeepers,
  found,
  indexPath,
  isAlive,
  keepersOf,
  killKeeper,
  nameOf,
  remembering,
  untilStatus,
  WORDS_ALONE,
  writeNotes,
} from "../support/stages/memory-stage.ts";
import type { WireClient } from "../support/wire-client.ts";

const IS_LONG = Boolean(process.env["CHELA_LONG"]);
const NOTES = IS_LONG ? 10_000 : 2_000;
const TOLD = 2_000;
const WITH_WORDS = remembering({ ...WORDS_ALONE, sources: ["memory", "sessions"] });

/** A conversation as another program left it: long enough for many steps of learning. */
function writeConversation(stateDir: string, count: number): void {
  const started = Date.parse("2026-01-05T08:00:00.000Z");
  const at = (minutes: number) => started + minutes * 60_000;
  const directory = sessionsDirectory(stateDir);
  mkdirSync(directory, { recursive: true });
  const header = { type: "session", version: 3, id: "old", timestamp: new Date(started).toISOString(), cwd: "/tmp" };
  const lines = Array.from({ length: count }, (_, index) => ({
    type: "message",
    id: (index + 1).toString(16).padStart(8, "0"),
    parentId: index === 0 ? null : index.toString(16).padStart(8, "0"),
    timestamp: new Date(at(index * 7)).toISOString(),
    message: {
      role: "user",
      content: [{ type: "text", text: `My friend is called ${nameOf(index)}. We decided to visit ${nameOf(index)}.` }],
      timestamp: at(index * 7),
    },
  }));
  writeFileSync(join(directory, "old.jsonl"), [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
  const entry = { sessionId: "old", updatedAt: at(count * 7), sessionFile: join(directory, "old.jsonl") };
  writeFileSync(join(directory, "sessions.json"), JSON.stringify({ "agent:main:old": entry }));
}

/** What is in an index, by the ids that its rows have in any run. */
function rowsOf(stateDir: string): Record<string, readonly unknown[]> {
  const db = new DatabaseSync(indexPath(stateDir), { readOnly: true });
  try {
    const all = (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => Object.values(row).join(" "));
    return {
      notes: all("SELECT path, hash FROM files ORDER BY path"),
      chunks: all("SELECT id, start_line, end_line FROM chunks ORDER BY id"),
      words: all("SELECT count(*) FROM chunks_fts"),
      facts: all("SELECT id, text FROM facets ORDER BY id"),
      episodes: all("SELECT id, end_turn_id, summary FROM episodes ORDER BY id"),
    };
  } finally {
    db.close();
  }
}

const learnedAll = (client: WireClient) =>
  untilStatus(client, "everything is learned", ({ learned, isIndexing }) => {
    const { seq, of } = learned as { seq: number; of: number };
    return seq === of && isIndexing === false;
  });

describe("the keeper is killed", () => {
  const state = createStateDirectory(WITH_WORDS);
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    writeNotes(state.path, NOTES);
    writeConversation(state.path, TOLD);
    gateway = await startTestGateway({ stateDir: state.path });
    client = await gateway.connect();
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  const committed = (): number => {
    try {
      const db = new DatabaseSync(indexPath(state.path), { readOnly: true });
      try {
        return Number(db.prepare("SELECT count(*) AS count FROM chunks").get()?.["count"]);
      } finally {
        db.close();
      }
    } catch {
      // Not made yet, or just being.
      return 0;
    }
  };

  it.each(IS_LONG ? [0, 0.1, 0.2, 0.4, 0.6, 0.8] : [0, 0.4])(
    "while it reads notes (%d of them are read): the reading is finished",
    async (share) => {
      await endKeepers();
      rmSync(dirname(indexPath(state.path)), { recursive: true, force: true });
      const reading = client.call("memory.index", {});
      await eventually("it is that far", () => keepersOf().length === 1 && committed() >= NOTES * share);
      const killed = killKeeper();
      expect(await reading).toMatchObject({ files: NOTES });
      expect(isAlive(killed)).toBe(false);
      expect(await found(client, nameOf(NOTES - 1), { sources: ["memory"] })).toMatchObject([
        { path: `memory/${nameOf(NOTES - 1)}.md` },
      ]);
    },
  );

  it("while it learns, again and again: everything is learned once", async () => {
    const steps = () => client.eventsOf("memory.progress").filter(({ payload }) => payload.phase === "learning").length;
    await learnedAll(client);
    const before = steps();
    await client.call("memory.rebuild", { what: "learned" });
    for (const step of [1, 2, 3]) {
      await client.until(`step ${step} of learning`, () => (steps() >= before + step ? true : undefined));
      for (const id of keepersOf()) process.kill(id, "SIGKILL");
    }
    // Whoever asks meanwhile has an answer, too.
    expect(await found(client, nameOf(7), { sources: ["memory"] })).toMatchObject([{ path: `memory/${nameOf(7)}.md` }]);
    await learnedAll(client);
  });

  it("and while it is idle: the next question starts another", async () => {
    const before = keepersOf();
    await endKeepers();
    expect(await found(client, nameOf(11), { sources: ["memory"] })).toHaveLength(1);
    expect(keepersOf()).toEqual([expect.not.toSatisfy((id: number) => before.includes(id))]);
  });

  it("and nothing of all that is to be seen: the index is the same as that of a quiet run", async () => {
    const afterKills = rowsOf(state.path);
    expect(afterKills["notes"]).toHaveLength(NOTES + 1);
    expect(afterKills["facts"]?.length).toBeGreaterThanOrEqual(TOLD);
    expect(await client.call("memory.check", {})).toMatchObject({ ok: true, findings: [] });
    await gateway[Symbol.asyncDispose]();
    rmSync(dirname(indexPath(state.path)), { recursive: true });
    gateway = await startTestGateway({ stateDir: state.path });
    client = await gateway.connect();
    await client.call("memory.index", {});
    await client.call("memory.rebuild", { what: "learned" });
    await learnedAll(client);
    const quiet = rowsOf(state.path);
    for (const table of Object.keys(quiet)) expect([table, afterKills[table]]).toEqual([table, quiet[table]]);
  });
});

describe("the gateway is killed", () => {
  const model = startModelServer();
  let workshop: ReturnType<typeof createWorkshop>;
  beforeAll(async () => {
    const { baseUrl } = await model;
    workshop = createWorkshop(() => baseUrl);
  });
  afterAll(async () => {
    await workshop.clean();
    await (await model)[Symbol.asyncDispose]();
  });

  const keeperOf = (gateway: GatewayProcess): Promise<number> =>
    eventually("it has a keeper", () => keepersOf(gateway.pid).at(0));

  it("while its keeper reads notes: the keeper ends by itself, and the next start goes on", async () => {
    const agents = { defaults: { model: "paced/paced", sandbox: { mode: "off" }, memorySearch: WORDS_ALONE } };
    const state = await workshop.createState({ config: { agents } });
    writeNotes(state.path, NOTES);
    const first = workshop.start(state);
    const client = await first.connect();
    client.send({ type: "req", id: "index", method: "memory.index", params: {} });
    const keeper = await keeperOf(first);
    await eventually("it reads", () => existsSync(indexPath(state.path)));
    await first.kill("SIGKILL");
    await eventually("its keeper ended, too", () => !isAlive(keeper));
    const second = workshop.start(state);
    const again = await second.connect();
    expect(await again.call("memory.index", {})).toMatchObject({ files: NOTES });
    expect(await found(again, nameOf(NOTES - 1))).toMatchObject([{ path: `memory/${nameOf(NOTES - 1)}.md` }]);
    expect(new Set(rowsOf(state.path)["chunks"]).size).toBe(NOTES);
    const last = await keeperOf(second);
    expect(await second.kill("SIGTERM")).toMatchObject({ code: 0 });
    await eventually("no keeper is left", () => !isAlive(last));
  });
});
