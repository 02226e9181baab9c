// Keeping files: by content, within limits, and only for as long as somebody needs them.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMediaWorld, streamOf } from "./media-world.test-support.ts";
import { mediaIdOf } from "./room.ts";

const DAY = 24 * 60 * 60 * 1000;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("a file that is taken", () => {
  it("is kept under its content, private, with what is known about it", async () => {
    using world = openMediaWorld();
    const media = await world.take("Hello, world\n", { name: "notes.txt" });
    const id = sha256("Hello, world\n");
    const path = join(world.stateDir, "media", "inbound", `${id}.txt`);
    expect(media).toEqual({
      id,
      direction: "inbound",
      path,
      mimeType: "text/plain",
      kind: "file",
      bytes: 13,
      name: "notes.txt",
    });
    expect(readFileSync(path, "utf8")).toBe("Hello, world\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(mediaIdOf(path)).toBe(id);
    expect(mediaIdOf("/etc/passwd")).toBeUndefined();
  });

  it("is found and read again after a restart", async () => {
    using world = openMediaWorld();
    const taken = await world.media.take(streamOf("%PDF-1.7", "\n", "x".repeat(100_000)), {
      direction: "outbound",
      maxBytes: 1_000_000,
      name: "Bericht für März.pdf",
    });
    const media = world.again();
    expect(await media.find(taken.id)).toEqual(taken);
    const opened = await media.open(taken.id);
    const parts: Uint8Array[] = [];
    for await (const chunk of opened?.content ?? []) parts.push(chunk);
    expect(opened?.media).toEqual(taken);
    expect(createHash("sha256").update(Buffer.concat(parts)).digest("hex")).toBe(taken.id);
    expect(taken).toMatchObject({ name: "Bericht für März.pdf", mimeType: "application/pdf", kind: "file" });
  });

  it("is stored once however often it comes, under the name it was last given", async () => {
    using world = openMediaWorld();
    const first = await world.take("same", { name: "a.txt" });
    const both = await Promise.all([world.take("same", { name: "b.txt" }), world.take("same")]);
    expect(both.map(({ path }) => path)).toEqual([first.path, first.path]);
    expect(world.files()).toEqual([`${first.id}.about.json`, `${first.id}.txt`]);
    expect(await world.media.find(first.id)).toMatchObject({ name: "b.txt" });
  });

  it("is taken anew when the kept copy is gone or damaged", async () => {
    using world = openMediaWorld();
    const { id, path } = await world.take("content");
    writeFileSync(path, "con");
    expect(await world.media.find(id)).toBeUndefined();
    expect(await world.take("content")).toMatchObject({ path });
    rmSync(path);
    expect(await world.take("content")).toMatchObject({ path });
    expect(readFileSync(path, "utf8")).toBe("content");
  });

  it("has its sender's name in the file name only when that is wanted", async () => {
    using world = openMediaWorld({ preservesNames: () => true });
    const named = await world.take("a", { name: "../My [secret] notes; rm -rf.txt" });
    expect(named.path).toBe(join(world.stateDir, "media", "inbound", `${named.id}-My-secret-notes-rm-rf.txt`));
    const unnamed = await world.take("b");
    expect(unnamed.path).toBe(join(world.stateDir, "media", "inbound", `${unnamed.id}.txt`));
  });

  it.for([
    ["../../etc/passwd", "passwd.txt"],
    ["C:\\Users\\x\\photo.png", "photo.png"],
    ["a\u0000b\u202Egpj.exe", "abgpj.exe"],
    ['x"\r\nset-cookie: a.txt', "x_set-cookie_ a.txt"],
    ["<img src=x>.md", "_img src=x_.md"],
    ["...", "file.txt"],
    ["", "file.txt"],
    ["CON.txt", "_CON.txt"],
    ["Über das Ende 🎉.txt", "Über das Ende 🎉.txt"],
    [`${"x".repeat(5000)}.txt`, `${"x".repeat(108)}.txt`],
  ] as const)("called %j is shown as %j", async ([given, shown]) => {
    using world = openMediaWorld();
    expect(await world.take("text", { name: given })).toMatchObject({ name: shown });
  });

  it("that is not what its name says gets the ending of what it is", async () => {
    using world = openMediaWorld();
    expect(await world.take("%PDF-1.4 ...", { name: "invoice.exe" })).toMatchObject({ name: "invoice.exe.pdf" });
  });
});

describe("a file that is too much", () => {
  it("is refused while it streams, and nothing of it is left", async () => {
    using world = openMediaWorld();
    let sent = 0;
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(64 * 1024, ++sent);
      } finally {
        closed = true;
      }
    }
    const taking = world.media.take(endless(), { direction: "inbound", maxBytes: 1024 * 1024 });
    await expect(taking).rejects.toMatchObject({
      code: "MEDIA_REFUSED",
      detail: "it is larger than the 1 MB that are allowed",
    });
    expect(sent).toBe(17);
    expect(closed).toBe(true);
    expect(world.files()).toEqual([]);
  });

  it("may have exactly as many bytes as allowed", async () => {
    using world = openMediaWorld();
    expect(await world.take("x".repeat(1000), { maxBytes: 1000 })).toMatchObject({ bytes: 1000 });
    await expect(world.take("y".repeat(1001), { maxBytes: 1000 })).rejects.toThrow("larger than the 1 KB");
  });

  it("is refused when there is nothing in it", async () => {
    using world = openMediaWorld();
    await expect(world.take("")).rejects.toMatchObject({ code: "MEDIA_REFUSED", detail: "it is empty" });
    expect(world.files()).toEqual([]);
  });
});

/** A source that is asked for more, and gives what the test says. */
function slowSource() {
  let asked = Promise.withResolvers<void>();
  let given = Promise.withResolvers<IteratorResult<Uint8Array>>();
  const source: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        asked.resolve();
        return given.promise;
      },
      return: () => new Promise(() => {}),
    }),
  };
  return {
    source,
    asked: () => asked.promise,
    async give(byte: string) {
      const before = given;
      asked = Promise.withResolvers();
      given = Promise.withResolvers();
      before.resolve({ done: false, value: Buffer.from(byte) });
      await asked.promise;
    },
    fail: (error: Error) => given.reject(error),
  };
}

describe("a stream that is slow", () => {
  it("is given up when nothing arrives for half a minute, though its source never lets go", async () => {
    using world = openMediaWorld();
    const slow = slowSource();
    const taking = world.media.take(slow.source, { direction: "inbound", maxBytes: 1000 });
    const failed = expect(taking).rejects.toMatchObject({
      code: "MEDIA_FETCH",
      detail: "nothing arrived for 30 seconds",
    });
    await slow.asked();
    await slow.give("a");
    await world.clock.advance(29_999);
    await slow.give("b");
    await world.clock.advance(29_999);
    await slow.give("c");
    await world.clock.advance(30_000);
    await failed;
    expect(world.files()).toEqual([]);
    expect(world.clock.waiting).toBe(0);
  });

  it("that drips for ever is given up after ten minutes", async () => {
    using world = openMediaWorld();
    const slow = slowSource();
    const taking = world.media.take(slow.source, { direction: "inbound", maxBytes: 1000 });
    const failed = expect(taking).rejects.toMatchObject({
      code: "MEDIA_FETCH",
      detail: "it was not done after 600 seconds",
    });
    await slow.asked();
    for (let minute = 0; minute < 29; minute++) {
      await slow.give(".");
      await world.clock.advance(20_000);
    }
    await slow.give(".");
    await world.clock.advance(20_000);
    await failed;
    expect(world.files()).toEqual([]);
  });

  it("that breaks off is a failure to fetch, and one that is stopped is no failure of anybody", async () => {
    using world = openMediaWorld();
    const broken = slowSource();
    const taking = world.media.take(broken.source, { direction: "inbound", maxBytes: 1000 });
    await broken.asked();
    broken.fail(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
    await expect(taking).rejects.toMatchObject({ code: "MEDIA_FETCH", detail: "it broke off before its end" });
    const stop = new AbortController();
    const stopped = slowSource();
    const stopping = world.media.take(stopped.source, { direction: "inbound", maxBytes: 1000, signal: stop.signal });
    const failed = expect(stopping).rejects.toMatchObject({ name: "AbortError" });
    await stopped.asked();
    stop.abort();
    await failed;
    expect(world.files()).toEqual([]);
  });
});

it("a disk that cannot be written is named, not the system's words", async () => {
  using world = openMediaWorld();
  writeFileSync(join(world.stateDir, "media"), "a file is in the way");
  await expect(world.take("x")).rejects.toMatchObject({ code: "MEDIA_STORE" });
  expect(readFileSync(join(world.stateDir, "media"), "utf8")).toBe("a file is in the way");
});

it.for(["", "abc", "../../etc/passwd", "x".repeat(64), sha256("never taken"), `${sha256("a")}/../b`])(
  "no file is found by %j",
  async (id) => {
    using world = openMediaWorld();
    await world.take("a");
    expect(await world.media.find(id)).toBeUndefined();
    expect(await world.media.open(id)).toBeUndefined();
  },
);

it("a note that names a file elsewhere leads nowhere", async () => {
  using world = openMediaWorld();
  const { id, path } = await world.take("a");
  const note = { file: `../../${id}.txt`, mimeType: "text/plain", bytes: 1, name: "a" };
  writeFileSync(join(dirname(path), `${id}.about.json`), JSON.stringify(note));
  writeFileSync(join(world.stateDir, `${id}.txt`), "b");
  expect(await world.media.find(id)).toBeUndefined();
});

describe("sweeping", () => {
  it("removes what came in after seven days and what went out after two, unless it was used since", async () => {
    using world = openMediaWorld();
    const inbound = await world.take("in");
    const used = await world.take("in, used");
    const outbound = await world.take("out", { direction: "outbound" });
    await world.clock.advance(2 * DAY);
    expect(await world.media.sweep(world.clock.now())).toEqual({ files: 0, bytes: 0 });
    await world.clock.advance(1);
    expect(await world.media.sweep(world.clock.now())).toEqual({ files: 1, bytes: 3 });
    expect(await world.media.find(outbound.id)).toBeUndefined();
    await world.clock.advance(4 * DAY);
    await world.media.open(used.id);
    await world.clock.advance(DAY);
    expect(await world.media.sweep(world.clock.now())).toEqual({ files: 1, bytes: 2 });
    expect(await world.media.find(inbound.id)).toBeUndefined();
    expect(world.files()).toEqual([`${used.id}.about.json`, `${used.id}.txt`]);
  });

  it("never removes what waits to be sent, however old or large", async () => {
    using world = openMediaWorld({ keeping: () => ({ maxBytes: 10 }) });
    const waiting = await world.take("waits to be sent", { direction: "outbound" });
    expect(await world.media.find(waiting.id)).toEqual(waiting);
    world.inUse.add(waiting.id);
    await world.clock.advance(30 * DAY);
    expect(await world.media.sweep(world.clock.now())).toEqual({ files: 0, bytes: 0 });
    world.inUse.clear();
    expect(await world.media.sweep(world.clock.now())).toEqual({ files: 1, bytes: 16 });
    expect(world.files()).toEqual([]);
  });

  it("removes what was not used for longest when there is too much", async () => {
    using world = openMediaWorld({ keeping: () => ({ maxBytes: 250 }) });
    const names: Record<string, string> = {};
    for (const letter of ["a", "b"]) {
      names[letter] = (await world.take(letter.repeat(100))).id;
      await world.clock.advance(60_000);
    }
    await world.media.find(names["a"] ?? "");
    await world.clock.advance(60_000);
    // The flood itself starts the sweep.
    names["c"] = (await world.take("c".repeat(100))).id;
    const found = await Promise.all(Object.values(names).map((id) => world.media.find(id)));
    expect(found.map((media) => media !== undefined)).toEqual([true, false, true]);
  });

  it("clears up what a crash left, and leaves alone what is not ours", async () => {
    using world = openMediaWorld();
    const folder = join(world.stateDir, "media", "inbound");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "half.part"), "half");
    writeFileSync(join(folder, `${sha256("x")}.about.json`), "{}");
    writeFileSync(join(folder, "3f0e2c9e-photo.jpg"), "somebody else's");
    const slow = slowSource();
    const taking = world.media.take(slow.source, { direction: "inbound", maxBytes: 10 });
    await slow.asked();
    await world.media.sweep(world.clock.now());
    const left = world.files();
    // What is arriving has a random name, so it may stand before or behind the stranger's.
    expect(left).toHaveLength(2);
    expect(left).toContain("3f0e2c9e-photo.jpg");
    expect(left).toContainEqual(expect.stringMatching(/^[^h].*\.part$/));
    slow.fail(new Error("enough"));
    await expect(taking).rejects.toThrow("broke off");
  });
});
