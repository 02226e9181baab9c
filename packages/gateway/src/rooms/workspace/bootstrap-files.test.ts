// Which files an agent is given, in which order, and how much of them.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@chela/sdk";
import { describe, expect, test } from "vitest";
import { bootstrapFiles, completeBootstrap, ensureWorkspace, FileCache, isEmptyHeartbeat } from "./room.ts";
import { temporaryWorkspace } from "./temporary-workspace.test-support.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const ORDER = "AGENTS SOUL TOOLS IDENTITY USER HEARTBEAT BOOTSTRAP MEMORY".split(" ").map((name) => `${name}.md`);
const names = (files: ReadonlyArray<{ name: string }>) => files.map(({ name }) => name);

/** Collects what is logged. */
function listeningLog(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const keep = (text: string) => void lines.push(text);
  const log: Logger = {
    log: (_level, text) => keep(text),
    trace: keep,
    debug: keep,
    info: keep,
    warn: keep,
    error: keep,
    child: () => log,
  };
  return { log, lines };
}

describe("the files of a conversation", () => {
  test("come in their order, whole, with their paths", async () => {
    using workspace = temporaryWorkspace();
    for (const name of [...ORDER].reverse()) workspace.write(name, `Text of ${name}\n`);
    workspace.write("memory.md", "Second memory");
    workspace.write("OTHER.md", "not ours");
    const files = await bootstrapFiles(workspace.directory);
    expect(names(files)).toEqual([...ORDER, "memory.md"]);
    expect(files[0]).toEqual({
      name: "AGENTS.md",
      path: join(workspace.directory, "AGENTS.md"),
      content: "Text of AGENTS.md",
      rawChars: 18,
      truncated: false,
    });
  });

  test("are fewer for sub-agents and jobs", async () => {
    using workspace = temporaryWorkspace();
    for (const name of ORDER) workspace.write(name, "text");
    const files = await bootstrapFiles(workspace.directory, { set: "minimal" });
    expect(names(files)).toEqual(["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md"]);
  });

  test("are none where there is no workspace", async () => {
    using workspace = temporaryWorkspace();
    expect(await bootstrapFiles(join(workspace.directory, "nowhere"))).toEqual([]);
  });

  test("leave out what says nothing", async () => {
    using workspace = temporaryWorkspace();
    workspace.write("USER.md", " \n\n");
    workspace.write("HEARTBEAT.md", "# Tasks\n\n- [ ]\n<!-- later\nmaybe -->\n");
    workspace.write("SOUL.md", "\uFEFFkind");
    expect((await bootstrapFiles(workspace.directory)).map(({ content }) => content)).toEqual(["kind"]);
  });

  test("include the first meeting until it was held, even if its text is still there", async () => {
    using workspace = temporaryWorkspace();
    await ensureWorkspace(workspace.directory, { skipBootstrap: false, now: NOW });
    const cache = new FileCache();
    expect(names(await bootstrapFiles(workspace.directory, { cache }))).toContain("BOOTSTRAP.md");
    await completeBootstrap(workspace.directory, NOW);
    workspace.write("BOOTSTRAP.md", "again");
    expect(names(await bootstrapFiles(workspace.directory, { cache }))).not.toContain("BOOTSTRAP.md");
  });

  test("name one memory once, also when two names lead to it", async () => {
    using workspace = temporaryWorkspace();
    workspace.write("MEMORY.md", "remembered");
    symlinkSync("MEMORY.md", join(workspace.directory, "memory.md"));
    expect(names(await bootstrapFiles(workspace.directory))).toEqual(["MEMORY.md"]);
  });
});

describe("limits", () => {
  test.each([
    ["as long as the limit", 1000, 1000, false],
    ["one longer", 1001, 1000, true],
    ["much longer", 50_000, 1000, true],
    ["longer than a limit too small for a marker", 500, 100, true],
  ])("a file %s", async (_case, length, perFile, isCut) => {
    using workspace = temporaryWorkspace();
    const text = "a".repeat(length - 3) + "end";
    workspace.write("AGENTS.md", text);
    const [file] = await bootstrapFiles(workspace.directory, { limits: { perFile, total: 100_000 } });
    expect(file).toMatchObject({ truncated: isCut, rawChars: length });
    expect(file?.content.length).toBeLessThanOrEqual(perFile);
    if (!isCut) expect(file?.content).toBe(text);
  });

  test("keep the first 70 % and the last 20 % around a marker, and no half characters", async () => {
    using workspace = temporaryWorkspace();
    workspace.write("AGENTS.md", `x${"🦀".repeat(20_000)}`);
    const [file] = await bootstrapFiles(workspace.directory);
    const [head = "", tail = ""] = (file?.content ?? "").split(/\n\n\[\.\.\.truncated[^]*\]\n\n/);
    expect(file?.content).toContain("\n[...truncated, read AGENTS.md for full content...]\n");
    expect(file?.content).toContain(`[kept the first ${head.length} and the last ${tail.length} of 40001 characters]`);
    expect([head.length, tail.length]).toEqual([13_999, 4000]);
    expect(file?.content.isWellFormed()).toBe(true);
  });

  test.each([
    ["all fit", 300, ["AGENTS.md", "SOUL.md", "TOOLS.md"]],
    ["the last is cut", 264, ["AGENTS.md", "SOUL.md", "TOOLS.md"]],
    ["too little is left", 263, ["AGENTS.md", "SOUL.md"]],
    ["nothing is left", 100, ["AGENTS.md"]],
  ])("of all files together: %s", async (_case, total, expected) => {
    using workspace = temporaryWorkspace();
    for (const name of ["AGENTS.md", "SOUL.md", "TOOLS.md"]) workspace.write(name, "b".repeat(100));
    const files = await bootstrapFiles(workspace.directory, { limits: { perFile: 100, total } });
    expect(names(files)).toEqual(expected);
    expect(files.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(total);
  });
});

describe("what is not a text inside the workspace is refused, and the log says why", () => {
  test.each<[string, (directory: string, outside: string) => void, string]>([
    [
      "a link to a file outside",
      (at, outside) => symlinkSync(join(outside, "secret"), at),
      "leads out of the workspace",
    ],
    ["a link through a directory outside", linkThroughFolder, "leads out of the workspace"],
    ["a link to itself", (at) => symlinkSync(at, at), "cannot be read (ELOOP)"],
    ["a directory", (at) => mkdirSync(at), "is not a regular file"],
    ["a pipe", (at) => execFileSync("sh", ["-c", 'mkfifo "$0"', at]), "is not a regular file"],
    ["a binary file", (at) => writeFileSync(at, Buffer.from([0x7f, 0x45, 0, 1])), "is not text"],
    ["a huge file", (at) => writeFileSync(at, "x".repeat(2 * 1024 * 1024 + 1)), "is larger than 2 MB"],
  ])("%s", async (_case, prepare, why) => {
    using workspace = temporaryWorkspace();
    const { log, lines } = listeningLog();
    writeFileSync(join(workspace.outside, "secret"), "secret");
    prepare(join(workspace.directory, "SOUL.md"), workspace.outside);
    workspace.write("USER.md", "fine");
    const cache = new FileCache(log);
    for (let turn = 0; turn < 3; turn++) {
      expect(names(await bootstrapFiles(workspace.directory, { cache }))).toEqual(["USER.md"]);
    }
    expect(lines).toEqual([expect.stringContaining(why)]);
  });

  function linkThroughFolder(at: string, outside: string): void {
    symlinkSync(outside, join(at, "..", "inner"));
    symlinkSync(join("inner", "secret"), at);
  }

  test("a link within the workspace is followed, and refused once it leads out", async () => {
    using workspace = temporaryWorkspace();
    mkdirSync(join(workspace.directory, "docs"));
    workspace.write("docs/rules.md", "rules");
    symlinkSync(join("docs", "rules.md"), join(workspace.directory, "AGENTS.md"));
    const cache = new FileCache();
    expect((await bootstrapFiles(workspace.directory, { cache }))[0]?.content).toBe("rules");
    rmSync(join(workspace.directory, "AGENTS.md"));
    symlinkSync(join(workspace.outside, "secret"), join(workspace.directory, "AGENTS.md"));
    writeFileSync(join(workspace.outside, "secret"), "rules");
    expect(await bootstrapFiles(workspace.directory, { cache })).toEqual([]);
  });
});

describe("the cache", () => {
  test("reads a file again only when it changed", () => {
    using workspace = temporaryWorkspace();
    workspace.write("AGENTS.md", "one");
    const cache = new FileCache();
    const first = cache.read(workspace.directory, "AGENTS.md");
    expect(cache.read(workspace.directory, "AGENTS.md")).toBe(first);
    workspace.write("AGENTS.md", "longer");
    expect(cache.read(workspace.directory, "AGENTS.md")).toMatchObject({ text: "longer" });
  });

  test("does not keep more than it may", () => {
    using workspace = temporaryWorkspace();
    const cache = new FileCache();
    const big = "x".repeat(2 * 1024 * 1024);
    for (let count = 0; count < 9; count++) workspace.write(`${count}.md`, big);
    const first = cache.read(workspace.directory, "0.md");
    for (let count = 1; count < 9; count++) cache.read(workspace.directory, `${count}.md`);
    const last = cache.read(workspace.directory, "8.md");
    expect(cache.read(workspace.directory, "8.md")).toBe(last);
    expect(cache.read(workspace.directory, "0.md")).not.toBe(first);
  });
});

test.each([
  ["", true],
  ["# Heading\n\n## Another\n", true],
  ["#\n- [ ]\n* [x]\n-\n", true],
  ["<!-- call home -->", true],
  ["- [ ] water the plants", false],
  ["#hashtag", false],
  ["Look at the mail", false],
])("HEARTBEAT.md %j asks for nothing: %s", (text, expected) => {
  expect(isEmptyHeartbeat(text)).toBe(expected);
});
