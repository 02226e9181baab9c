// The file of a memory is damaged, or its notes are no usual ones: questions are answered again at once, and what happened is told.
import { closeSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import {
  endKeepers,
  found,
  indexPath,
  nameOf,
  remembering,
  untilStatus,
  writeNote,
  writeNotes,
} from "../support/stages/memory-stage.ts";
import type { WireClient } from "../support/wire-client.ts";

const IS_LONG = Boolean(process.env["CHELA_LONG"]);

describe("the index is damaged", () => {
  let gateway: TestGateway;
  let client: WireClient;
  let path: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ config: remembering() });
    client = await gateway.connect();
    path = indexPath(gateway.stateDir);
    writeNotes(gateway.stateDir, 200);
    await client.agent("My sister is called Marta.");
    expect(await isWhole()).toBe(true);
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  async function isWhole(): Promise<boolean> {
    const [note] = await found(client, nameOf(123), { sources: ["memory"] });
    const { facts } = await client.call("memory.facts", { search: "Marta" });
    return note?.path === `memory/${nameOf(123)}.md` && facts.length > 0;
  }
  const overwrite = (from: number, to: number): void => {
    const file = openSync(path, "r+");
    for (let at = from; at < to; at += 512)
      writeSync(file, Buffer.alloc(Math.min(512, to - at), `junk ${at} `), 0, undefined, at);
    closeSync(file);
  };
  const size = (): number => statSync(path).size;
  const setAside = (): string[] => readdirSync(dirname(path)).filter((name) => name.includes(".damaged-"));
  /** As a stop leaves it: all of it in one file. */
  async function close(): Promise<void> {
    await endKeepers();
    const db = new DatabaseSync(path);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
    for (const name of setAside()) rmSync(join(dirname(path), name));
  }

  const DAMAGES: ReadonlyArray<readonly [what: string, deed: () => void]> = [
    ["cut in the middle", () => truncateSync(path, Math.floor(size() / 2))],
    ["overwritten behind its first page", () => overwrite(4096, size())],
  ];
  const MORE: typeof DAMAGES = [
    ["another file altogether", () => writeFileSync(path, "# Not an index\n\nBut a note.\n".repeat(500))],
    ["cut within its first page", () => truncateSync(path, 100)],
    ["overwritten as a whole", () => overwrite(0, size())],
  ];

  it.each([...DAMAGES, ...MORE.slice(0, IS_LONG ? 3 : 1)])(
    "while nobody has it open: %s. It is made anew, and says so",
    async (_what, damage) => {
      await close();
      damage();
      expect(await isWhole()).toBe(true);
      const { notes } = await untilStatus(client, "it is whole", () => true);
      expect((notes as string[]).join(" ")).toMatch(/^The index was made anew, because it could not be used: \S/);
      expect(gateway.readLog()).toContain("the memory index cannot be used; it is set aside and made anew");
      expect(setAside()).toHaveLength(1);
      expect(await client.call("memory.check", {})).toMatchObject({ ok: true });
    },
  );

  it.each([
    ["emptied", () => truncateSync(path, 0)],
    ["gone", () => rmSync(path)],
  ])("while nobody has it open: %s. There is a new one", async (_what, damage) => {
    await close();
    damage();
    expect(await isWhole()).toBe(true);
    expect(await client.call("memory.check", {})).toMatchObject({ ok: true });
  });

  it.each([...DAMAGES, ...(IS_LONG ? MORE : []), ["gone", () => rmSync(path)] as const])(
    "while it is in use: %s. Questions are answered again at once",
    async (_what, damage) => {
      await close();
      expect(await isWhole()).toBe(true);
      damage();
      const failures: string[] = [];
      const isAnswered = async (): Promise<boolean> => {
        try {
          return await isWhole();
        } catch (error) {
          failures.push(String(error));
          return false;
        }
      };
      // One may find the damage, and says so; the next has a new index.
      const answers = [await isAnswered(), await isAnswered(), await isAnswered()];
      expect([answers.at(-1), failures]).toEqual([true, failures.filter((one) => one.includes("has to be made anew"))]);
      await endKeepers();
      expect(await isWhole()).toBe(true);
      expect(await client.call("memory.check", { repair: true })).toMatchObject({ ok: true });
    },
  );
});

describe("notes that are no usual ones", () => {
  it("are read as far as they are text, and leave when they are deleted", async () => {
    await using gateway = await startTestGateway({ config: remembering() });
    const client = await gateway.connect();
    const junk = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919 + (at >> 3)) % 256));
    writeNote(gateway.stateDir, "memory/junk.md", junk);
    writeNote(gateway.stateDir, "memory/latin.md", Buffer.from("Das M\u00e4rchen steht im Regal.\n", "latin1"));
    writeNote(gateway.stateDir, "memory/empty.md", "");
    const good = writeNote(gateway.stateDir, "memory/good.md", "The lighthouse is open on Sundays.\n");
    const { notes } = await client.call("memory.index", {});
    expect(notes).toEqual(["memory/junk.md is no text; it is not read."]);
    expect(await found(client, "lighthouse Sundays")).toMatchObject([{ path: "memory/good.md" }]);
    expect(await found(client, "Regal")).toMatchObject([{ path: "memory/latin.md" }]);
    rmSync(good);
    expect(await found(client, "lighthouse")).toEqual([]);
  });

  it("nobody waits for a note of 50 MB, and it is found in the end", async () => {
    await using gateway = await startTestGateway({ config: remembering() });
    const client = await gateway.connect();
    const line = (at: number) => `Entry ${nameOf(at)} of the long protocol, written down word by word.\n`;
    const file = writeNote(gateway.stateDir, "memory/protocol.md", "");
    const handle = openSync(file, "a");
    for (let at = 0, bytes = 0; bytes < 50_000_000;) {
      const part = Array.from({ length: 1000 }, () => line(at++)).join("");
      bytes += writeSync(handle, part);
    }
    writeSync(handle, "The very last words are zephyr and quokka.\n");
    closeSync(handle);
    let isRead = false;
    const reading = client.call("memory.index", {}).then(() => (isRead = true));
    expect(await client.agent("hello")).toContain("hello");
    expect(isRead).toBe(false);
    await reading;
    expect(await found(client, "zephyr quokka")).toMatchObject([{ path: "memory/protocol.md" }]);
  }, 60_000);
});
