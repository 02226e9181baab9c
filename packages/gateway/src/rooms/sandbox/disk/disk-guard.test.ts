// What a sandbox takes of the disk: counted whatever it does to hide it, and stopped.
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SandboxDisk } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { DiskGuard } from "./disk-guard.ts";
import { measureFolder } from "./measure-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chela-disk-"));
});
afterEach(() => {
  spawnSync("chmod", ["-R", "u+rwx", folder]);
  spawnSync("rm", ["-rf", folder]);
});

const MEGABYTE = 1024 ** 2;
const MUCH = { bytes: 100 * MEGABYTE, files: 1_000 };
const put = (name: string, bytes: number): void => writeFileSync(join(folder, name), Buffer.alloc(bytes, 1));

describe("the size of a folder", () => {
  it("is what lies on the disk: files with several names count once, holes not at all", async () => {
    put("one", MEGABYTE);
    linkSync(join(folder, "one"), join(folder, "same"));
    put("sparse", 0);
    truncateSync(join(folder, "sparse"), 50 * MEGABYTE);
    mkdirSync(join(folder, "deep", "er"), { recursive: true });
    put("deep/er/two", MEGABYTE);
    const { bytes, files } = await measureFolder(folder, MUCH);
    expect(files).toBe(6);
    expect(bytes).toBeGreaterThanOrEqual(2 * MEGABYTE);
    expect(bytes).toBeLessThan(3 * MEGABYTE);
    expect(await measureFolder(join(folder, "nowhere"), MUCH)).toEqual({ bytes: 0, files: 0 });
  });

  it("is not counted further than matters", async () => {
    for (let count = 0; count < 20; count += 1) put(`f${count}`, 1);
    expect((await measureFolder(folder, { ...MUCH, files: 5 })).files).toBe(6);
  });

  it("is endless for one that is deeper than names can be", async () => {
    const script = "i=0; while [ $i -lt 60 ]; do mkdir $0 && cd -P $0 || exit 1; i=$((i+1)); done";
    const made = spawnSync("sh", ["-c", script, "x".repeat(100)], { cwd: folder });
    expect(made.status).toBe(0);
    expect(await measureFolder(folder, MUCH)).toEqual({ bytes: Infinity, files: Infinity });
  });

  it.skipIf(process.getuid?.() === 0)("is endless for one that was closed to us", async () => {
    mkdirSync(join(folder, "closed"));
    chmodSync(join(folder, "closed"), 0);
    expect(await measureFolder(folder, MUCH)).toEqual({ bytes: Infinity, files: Infinity });
  });
});

describe("the guard of a disk", () => {
  const setUp = (more: Partial<SandboxDisk> = {}) => {
    const clock = createFakeClock();
    const ends: string[] = [];
    const disk = { folder, bytes: MEGABYTE, files: 10, keepFreeBytes: 0, ...more };
    const mounts = [{ outside: folder, inside: "/workspace", isWritable: true }];
    const guard = new DiskGuard(mounts, disk, { clock, end: async (why) => void ends.push(why) });
    return { guard, clock, ends };
  };
  /** Reading a folder is done by other threads. */
  const untilEnded = (ends: string[], clock: ReturnType<typeof createFakeClock>) =>
    expect.poll(async () => (await clock.advance(2_000), ends)).toHaveLength(1);

  it("ends what writes too much, and what leaves something running that does", async () => {
    const { guard, clock, ends } = setUp();
    const admission = await guard.admit();
    if (admission.kind === "admitted") admission.over();
    await clock.advance(300);
    expect(ends).toEqual([]);
    put("big", 1.5 * MEGABYTE);
    await untilEnded(ends, clock);
    expect(ends[0]).toMatch(/^the sandbox's folder holds 1\.5 MB in 1 files; it may hold 1 MB and 10 files .*[^.]$/);
  });

  it("lets who is above the limit take away, and not add", async () => {
    put("big", 1.5 * MEGABYTE);
    const { guard, clock, ends } = setUp();
    expect(await guard.admit()).toMatchObject({
      kind: "admitted",
      full: expect.stringContaining("files can be deleted"),
    });
    put("small", 10_000);
    await untilEnded(ends, clock);
    guard.stop();
    rmSync(join(folder, "big"));
    expect(await guard.whyNoWrites()).toBeUndefined();
  });

  it("counts earlier lives of a conversation, and lets the oldest go when there is no room", async () => {
    const put = (name: string, bytes: number, at: number): void => {
      mkdirSync(join(folder, name, "files"), { recursive: true });
      writeFileSync(join(folder, name, "files", "x"), Buffer.alloc(bytes));
      utimesSync(join(folder, name), at, at);
    };
    put("first", 0.4 * MEGABYTE, 1);
    put("second", 0.4 * MEGABYTE, 2);
    put("now", 0.1 * MEGABYTE, 3);
    const inUse = join(folder, "now");
    const mounts = [{ outside: join(inUse, "files"), inside: "/workspace", isWritable: true }];
    const disk = { folder, inUse, bytes: MEGABYTE, files: 100, keepFreeBytes: 0 };
    const look = () => new DiskGuard(mounts, disk, { clock: createFakeClock(), end: async () => {} }).whyNoWrites();
    expect(await look()).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(["first", "now", "second"]);
    put("now", 0.5 * MEGABYTE, 3);
    expect(await look()).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(["now", "second"]);
    put("now", 1.5 * MEGABYTE, 3);
    expect(await look()).toContain("files can be deleted");
    expect(readdirSync(folder)).toEqual(["now"]);
  });

  it("starts nothing far above the limit", async () => {
    put("big", 2.5 * MEGABYTE);
    const { guard } = setUp();
    expect(await guard.admit()).toEqual({
      kind: "refused",
      why: expect.stringContaining(`made room in ${folder}`),
    });
    expect(guard.lastRefusal).toContain(folder);
  });

  it("ends everything when the disk is nearly full, whoever filled it, also in a folder of others", async () => {
    const { guard, clock, ends } = setUp({ keepFreeBytes: Number.MAX_SAFE_INTEGER });
    guard.followTerminal();
    await untilEnded(ends, clock);
    expect(ends[0]).toMatch(/^the disk of .* has [\d.]+ MB left\. Sandboxes leave/);
    expect(await guard.admit()).toMatchObject({ kind: "refused", why: expect.stringContaining("MB left") });
  });
});
