// What the channel kit promises: nothing counts as taken before the gateway accepted it, and what is kept outlives a restart.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { afterAll, describe, expect, it } from "vitest";
import { once } from "../schema.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createFakeHost } from "../testing/fake-host.ts";
import { Noted, readIfThere, Recent, RecentIds, recallAs, UnderWay, untilAccepted, writePrivateFile } from "./index.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-kit-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function createHost() {
  const clock = createFakeClock();
  return { clock, host: createFakeHost({ directory, clock }) };
}

describe("untilAccepted", () => {
  /** Fails the first `failures` times, and says when it was tried. */
  function createWork(now: () => number, failures: number) {
    const tried: number[] = [];
    const work = async (): Promise<string> => {
      tried.push(now());
      if (tried.length <= failures) throw new Error("the disk is full");
      return "written";
    };
    return { tried, work };
  }

  it("waits longer from try to try, and resolves with what was accepted", async () => {
    const { clock, host } = createHost();
    const begin = clock.steady();
    const { tried, work } = createWork(() => clock.steady() - begin, 7);
    const handed = untilAccepted(host, new AbortController().signal, work);
    await clock.advance(0);
    await clock.advance(200_000);
    expect(await handed).toEqual({ kind: "done", value: "written" });
    expect(tried).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 61_000, 91_000]);
  });

  it("is over at once when the connection ends, and never says that something was accepted which was not", async () => {
    const { clock, host } = createHost();
    const connection = new AbortController();
    const { tried, work } = createWork(() => clock.steady(), 100);
    const handed = untilAccepted(host, connection.signal, work);
    await clock.advance(0);
    await clock.advance(1000);
    connection.abort();
    expect(await handed).toEqual({ kind: "over" });
    expect(tried).toHaveLength(2);
    expect(clock.waiting).toBe(0);
    expect(await untilAccepted(host, connection.signal, work)).toEqual({ kind: "over" });
    expect(tried).toHaveLength(2);
  });
});

describe("Recent", () => {
  it("forgets what was set longest ago", () => {
    const recent = new Recent<number>(2, [["a", 1]]);
    recent.set("b", 2);
    recent.set("a", 3);
    recent.set("c", 4);
    expect([...recent.entries()]).toEqual([
      ["a", 3],
      ["c", 4],
    ]);
    expect([recent.has("b"), recent.get("a"), recent.size]).toEqual([false, 3, 2]);
    expect([recent.delete("a"), [...recent.values()]]).toEqual([true, [4]]);
  });

  it("does the same with ids", () => {
    const ids = new RecentIds(2, ["a", "b"]);
    ids.add("a");
    ids.add("c");
    expect([ids.list(), ids.has("a"), ids.has("b")]).toEqual([["a", "c"], true, false]);
  });
});

describe("UnderWay", () => {
  it("is idle when all is done, also what failed", async () => {
    const works = new UnderWay();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const failing = works.add(first.promise);
    void works.add(second.promise);
    const idle = works.idle();
    first.reject(new Error("not written"));
    await expect(failing).rejects.toThrow("not written");
    expect(works.size).toBe(1);
    second.resolve();
    await idle;
    expect(works.size).toBe(0);
  });

  it("has room when one is done, or when nobody waits any more", async () => {
    const works = new UnderWay();
    const over = new AbortController();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    void works.add(first.promise);
    void works.add(second.promise);
    const room = works.room(2, over.signal);
    first.resolve();
    await room;
    expect(works.size).toBe(1);
    const noRoom = works.room(1, over.signal);
    over.abort();
    await noRoom;
    expect(works.size).toBe(1);
  });
});

describe("Noted", () => {
  it("writes the last of many changes after a while, and what is left at the end", async () => {
    const { clock, host } = createHost();
    let value = 1;
    const noted = new Noted(host, { name: "place", afterMs: 1000, read: () => String(value) });
    noted.changed();
    value = 2;
    noted.changed();
    await clock.advance(999);
    expect(host.memory.get("place")).toBeUndefined();
    await clock.advance(1);
    expect(host.memory.get("place")).toBe("2");
    value = 3;
    noted.changed();
    await noted.close();
    expect(host.memory.get("place")).toBe("3");
    value = 4;
    noted.changed();
    await clock.advance(5000);
    expect(host.memory.get("place")).toBe("3");
  });

  it("keeps what may not be written yet, and what could not be, for the next time", async () => {
    const { clock, host } = createHost();
    let isHeld = true;
    let isFull = true;
    const remember: typeof host.remember = async (name, value) => {
      if (isFull) throw new Error("the disk is full");
      await host.remember(name, value);
    };
    const read = () => (isHeld ? undefined : "now");
    const noted = new Noted({ clock, log: host.log, remember }, { name: "held", afterMs: 1000, read });
    noted.changed();
    await clock.advance(1000);
    isHeld = false;
    await noted.save();
    expect(host.memory.get("held")).toBeUndefined();
    isFull = false;
    await noted.save();
    expect(host.memory.get("held")).toBe("now");
  });

  it("is recalled as it was, or not at all", async () => {
    const { host } = createHost();
    const Place = once(() => z.object({ uid: z.int() }));
    host.memory.set("good", '{"uid":7}').set("odd", '{"uid":"7"}').set("torn", '{"uid":');
    const recalled = await Promise.all(["good", "odd", "torn", "none"].map((name) => recallAs(host, name, Place)));
    expect(recalled).toEqual([{ uid: 7 }, undefined, undefined, undefined]);
  });
});

describe("private files", () => {
  it("are replaced as a whole, leave nothing beside them, and are for this user alone", async () => {
    const path = join(directory, "keys.json");
    await writePrivateFile(path, "one");
    await writePrivateFile(path, "two", false);
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(["keys.json"]);
    expect(String(await readIfThere(path))).toBe("two");
    expect(await readIfThere(join(directory, "none"))).toBeUndefined();
    await expect(writePrivateFile(join(directory, "none/keys.json"), "x")).rejects.toThrow("ENOENT");
  });
});
