// Control groups of both versions, on folders that look like them.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createControlGroup } from "./control-group.ts";

const LIMITS = { memoryBytes: 1000, processes: 10, cpuSeconds: 1, fileBytes: 1, openFiles: 1, cpus: 1.5 };
const REAL_LIMITS = { ...LIMITS, memoryBytes: 64 * 2 ** 20 };
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chela-groups-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("control groups", () => {
  it("are not used where the gateway has none of its own", async () => {
    expect(createControlGroup("box", LIMITS, { membership: "", mounts: "" })).toBeUndefined();
    const elsewhere = { membership: "4:memory:/a\n5:pids:/a\n", mounts: "" };
    expect(createControlGroup("box", LIMITS, elsewhere)).toBeUndefined();
  });

  it("are not used where nothing can be made in the gateway's own", () => {
    const places = {
      membership: "4:memory:/missing\n5:pids:/missing\n",
      mounts: `30 20 0:1 / ${root} rw - cgroup cgroup rw,memory\n31 20 0:1 / ${root} rw - cgroup cgroup rw,pids\n`,
    };
    expect(createControlGroup("box", LIMITS, places)).toBeUndefined();
  });

  it("of version 2 are left alone when others are in the gateway's own", () => {
    const own = join(root, "user.slice");
    mkdirSync(own);
    writeFileSync(join(own, "cgroup.controllers"), "cpu memory pids\n");
    writeFileSync(join(own, "cgroup.subtree_control"), "");
    writeFileSync(join(own, "cgroup.procs"), `1\n${process.pid}\n`);
    const places = { membership: "0::/user.slice\n", mounts: `30 20 0:1 / ${root} rw - cgroup2 cgroup2 rw\n` };
    expect(createControlGroup("box", LIMITS, places)).toBeUndefined();
    expect(existsSync(join(own, "box"))).toBe(false);
    expect(existsSync(join(own, "gateway"))).toBe(false);
  });

  it("of version 2 are made below the gateway's own, where controllers are handed down", () => {
    const own = join(root, "service");
    mkdirSync(own);
    writeFileSync(join(own, "cgroup.controllers"), "cpu memory pids\n");
    writeFileSync(join(own, "cgroup.subtree_control"), "cpu memory pids\n");
    const places = {
      membership: "0::/outer/service\n",
      mounts: `30 20 0:1 /outer ${root} rw - cgroup2 cgroup2 rw\n`,
    };
    // The files of a real group appear with it; without them the limits cannot be set, and the group is not used.
    expect(createControlGroup("box", LIMITS, places)).toBeUndefined();
    expect(existsSync(join(own, "box"))).toBe(false);
  });

  it.skipIf(!canUseRealOnes())("set the limits, and are removed again", async () => {
    const name = `chela-sandbox-${process.pid}-test`;
    const group = createControlGroup(name, REAL_LIMITS);
    if (!group) throw new Error("no control group could be made");
    const [first = ""] = group.procs;
    expect(group.procs.length).toBeGreaterThan(0);
    const limits = group.procs.flatMap((path) =>
      ["memory.limit_in_bytes", "memory.max", "pids.max"].map((file) => path.replace("cgroup.procs", file)),
    );
    const written = limits.filter((path) => existsSync(path)).map((path) => readFileSync(path, "utf8").trim());
    expect(written.toSorted()).toEqual(["20", String(64 * 2 ** 20)].toSorted());
    expect(group.memoryKills()).toBe(0);
    await group.remove();
    expect(existsSync(first)).toBe(false);
  });
});

function canUseRealOnes(): boolean {
  const group = createControlGroup(`chela-sandbox-${process.pid}-try`, { ...LIMITS, memoryBytes: 2 ** 26 });
  void group?.remove();
  return group !== undefined;
}
