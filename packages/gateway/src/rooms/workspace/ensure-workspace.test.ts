// A workspace begins once: first files for a brand-new one, nothing for anybody else's.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { completeBootstrap, ensureWorkspace, isEmptyHeartbeat, readIdentity } from "./room.ts";
import { temporaryWorkspace } from "./temporary-workspace.test-support.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const AT = "2026-01-15T12:00:00.000Z";
const SEEDED = ["AGENTS.md", "BOOTSTRAP.md", "HEARTBEAT.md", "IDENTITY.md", "SOUL.md", "TOOLS.md", "USER.md"];
const options = { skipBootstrap: false, now: NOW };

const visible = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name !== ".openclaw")
    .sort();
const read = (...path: string[]) => readFileSync(join(...path), "utf8");
const stateOf = (directory: string) => JSON.parse(read(directory, ".openclaw", "workspace-state.json")) as object;

describe("a workspace that begins", () => {
  test.each([
    ["is missing", (directory: string) => rmSync(directory, { recursive: true })],
    ["is empty", () => {}],
  ])("gets its first files when it %s", async (_case, prepare) => {
    using workspace = temporaryWorkspace();
    prepare(workspace.directory);
    expect(await ensureWorkspace(workspace.directory, options)).toEqual({ kind: "seeded" });
    expect(visible(workspace.directory)).toEqual(SEEDED);
    expect(stateOf(workspace.directory)).toEqual({ version: 1, bootstrapSeededAt: AT });
  });

  test("has small first files, with the sections that survive a compaction and a heartbeat without work", async () => {
    using workspace = temporaryWorkspace();
    await ensureWorkspace(workspace.directory, options);
    const texts = SEEDED.map((name) => read(workspace.directory, name));
    expect(Buffer.byteLength(texts.join(""))).toBeLessThanOrEqual(3500);
    expect(read(workspace.directory, "AGENTS.md")).toMatch(/^## Session Startup$[^]*^## Red Lines$/m);
    expect(isEmptyHeartbeat(read(workspace.directory, "HEARTBEAT.md"))).toBe(true);
    expect(readIdentity(read(workspace.directory, "IDENTITY.md"))).toEqual({});
  });

  test("is left alone when anything is in it", async () => {
    using workspace = temporaryWorkspace();
    workspace.write("notes.txt", "mine");
    expect(await ensureWorkspace(workspace.directory, options)).toEqual({ kind: "kept" });
    expect(readdirSync(workspace.directory)).toEqual(["notes.txt"]);
  });

  test("keeps what was changed and what was removed when it is ensured again", async () => {
    using workspace = temporaryWorkspace();
    await ensureWorkspace(workspace.directory, options);
    workspace.write("SOUL.md", "changed");
    rmSync(join(workspace.directory, "TOOLS.md"));
    expect(await ensureWorkspace(workspace.directory, options)).toEqual({ kind: "kept" });
    expect(read(workspace.directory, "SOUL.md")).toBe("changed");
    expect(existsSync(join(workspace.directory, "TOOLS.md"))).toBe(false);
  });

  test("goes on where a crash stopped the first files, over nothing that is there", async () => {
    using workspace = temporaryWorkspace();
    mkdirSync(join(workspace.directory, ".openclaw"));
    workspace.write(".openclaw/workspace-state.json", JSON.stringify({ version: 1, seedingSince: AT }));
    workspace.write("AGENTS.md", "mine");
    expect(await ensureWorkspace(workspace.directory, options)).toEqual({ kind: "seeded" });
    expect(visible(workspace.directory)).toEqual(SEEDED);
    expect(read(workspace.directory, "AGENTS.md")).toBe("mine");
    expect(stateOf(workspace.directory)).toEqual({ version: 1, bootstrapSeededAt: AT });
  });

  test("stays empty when the operator wants no first files", async () => {
    using workspace = temporaryWorkspace();
    const wish = { ...options, skipBootstrap: true };
    expect(await ensureWorkspace(workspace.directory, wish)).toEqual({ kind: "empty" });
    expect(readdirSync(workspace.directory)).toEqual([]);
  });

  test("cannot be where a file is, and says so", async () => {
    using workspace = temporaryWorkspace();
    workspace.write("file", "x");
    const directory = join(workspace.directory, "file");
    await expect(ensureWorkspace(directory, options)).rejects.toMatchObject({
      code: "WORKSPACE_DISK",
      message: expect.stringContaining(directory),
    });
  });
});

describe("the first meeting", () => {
  test("is removed once it was held, and the day is kept", async () => {
    using workspace = temporaryWorkspace();
    await ensureWorkspace(workspace.directory, options);
    await completeBootstrap(workspace.directory, NOW + 1000);
    await completeBootstrap(workspace.directory, NOW + 9000);
    expect(visible(workspace.directory)).not.toContain("BOOTSTRAP.md");
    const onboardingCompletedAt = "2026-01-15T12:00:01.000Z";
    expect(stateOf(workspace.directory)).toEqual({ version: 1, bootstrapSeededAt: AT, onboardingCompletedAt });
  });

  test("leaves fields of other versions in the state, and survives a damaged one", async () => {
    using workspace = temporaryWorkspace();
    mkdirSync(join(workspace.directory, ".openclaw"));
    workspace.write(".openclaw/workspace-state.json", '{"version":1,"theirs":true}');
    await completeBootstrap(workspace.directory, NOW);
    expect(stateOf(workspace.directory)).toEqual({ version: 1, theirs: true, onboardingCompletedAt: AT });
    workspace.write(".openclaw/workspace-state.json", "{");
    await completeBootstrap(workspace.directory, NOW);
    expect(stateOf(workspace.directory)).toEqual({ version: 1, onboardingCompletedAt: AT });
  });

  test("writes nothing through a link out of the workspace", async () => {
    using workspace = temporaryWorkspace();
    symlinkSync(workspace.outside, join(workspace.directory, ".openclaw"));
    await expect(completeBootstrap(workspace.directory, NOW)).rejects.toMatchObject({ code: "WORKSPACE_DISK" });
    expect(readdirSync(workspace.outside)).toEqual([]);
  });

  test("removes a link, never what it leads to", async () => {
    using workspace = temporaryWorkspace();
    const target = join(workspace.outside, "precious");
    writeFileSync(target, "x");
    symlinkSync(target, join(workspace.directory, "BOOTSTRAP.md"));
    await completeBootstrap(workspace.directory, NOW);
    expect(readdirSync(workspace.outside)).toEqual(["precious"]);
    expect(visible(workspace.directory)).toEqual([]);
  });
});
