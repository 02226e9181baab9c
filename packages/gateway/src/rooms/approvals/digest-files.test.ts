// What is in a file is known from its bytes, also where somebody changes them behind the back of its times.
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFakeClock } from "@chela/sdk/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDigestMemory, digestIn } from "./digest-files.ts";

let folder = "";
beforeAll(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), "chela-digest-")))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytesOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

test("a file that is written through a shared mapping, where agents write, is read every time", async () => {
  // The index of a write-ahead log is such a file: it is mapped, and written without any call that touches its times.
  const database = new DatabaseSync(join(folder, "mapped.sqlite"));
  database.exec("pragma journal_mode = wal; create table t (x); insert into t values (1)");
  const path = join(folder, "mapped.sqlite-shm");
  const clock = createFakeClock();
  await clock.advance(365 * 86_400_000 * 100);
  const digestFile = digestIn(createDigestMemory(clock), { writable: [folder], trustedDirectories: [] });
  const times = () => statSync(path, { bigint: true }).ctimeNs;
  // A page that was written back to the disk gets new times once: then it is tried again.
  for (let round = 0; ; round += 1) {
    const before = times();
    const first = await digestFile(path);
    database.exec("insert into t values (2)");
    const isUnnoticed = before === times();
    const second = await digestFile(path);
    expect(second?.sha256).toBe(bytesOf(path));
    expect(second?.sha256).not.toBe(first?.sha256);
    if (isUnnoticed) break;
    expect(round).toBeLessThan(100);
  }
  database.close();
});

test("others are read once, until their times change", async () => {
  const clock = createFakeClock();
  await clock.advance(365 * 86_400_000 * 100);
  const path = join(folder, "program");
  writeFileSync(path, "one");
  const digestFile = digestIn(createDigestMemory(clock), { writable: [], trustedDirectories: [] });
  expect((await digestFile(path))?.sha256).toBe(bytesOf(path));
  writeFileSync(path, "two");
  expect((await digestFile(path))?.sha256).toBe(bytesOf(path));
  expect(await digestFile(folder)).toBeUndefined();
});
