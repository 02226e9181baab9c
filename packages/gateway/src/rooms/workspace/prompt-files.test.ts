// A conversation keeps the files it began with, and hears once of every change.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { completeBootstrap, ensureWorkspace, PromptFiles } from "./room.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "./temporary-workspace.test-support.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;

function begun(): TemporaryWorkspace {
  const workspace = temporaryWorkspace();
  workspace.write("AGENTS.md", "first");
  workspace.write("USER.md", "Ann");
  return workspace;
}

describe("a snapshot", () => {
  test("stays the same to the byte while files change", async () => {
    using workspace = begun();
    const files = new PromptFiles();
    const first = await files.filesFor("s1", workspace.directory, "full", NOW);
    workspace.write("AGENTS.md", "second version");
    workspace.write("MEMORY.md", "new");
    rmSync(join(workspace.directory, "USER.md"));
    const second = await files.filesFor("s1", workspace.directory, "full", NOW + 1000);
    expect(second.files).toEqual(first.files);
    expect(second.files.map(({ content }) => content)).toEqual(["first", "Ann"]);
  });

  test("is shared between conversations that began with the same files", async () => {
    using workspace = begun();
    const files = new PromptFiles();
    const first = await files.filesFor("s1", workspace.directory, "full", NOW);
    const other = await files.filesFor("s2", workspace.directory, "full", NOW);
    expect(other.files).toBe(first.files);
  });

  test.each([
    ["an hour of silence", (_files: PromptFiles) => NOW + HOUR, "second version"],
    ["almost an hour", (_files: PromptFiles) => NOW + HOUR - 1, "first"],
    ["a compaction or reset", (files: PromptFiles) => (files.renew("s1"), NOW + 1), "second version"],
  ])("after %s", async (_case, pass, expected) => {
    using workspace = begun();
    const files = new PromptFiles();
    await files.filesFor("s1", workspace.directory, "full", NOW);
    workspace.write("AGENTS.md", "second version");
    const later = await files.filesFor("s1", workspace.directory, "full", pass(files));
    expect(later.files[0]?.content).toBe(expected);
    expect(later.changed).toEqual(expected === "first" ? ["AGENTS.md"] : []);
  });

  test("counts the hour from the last turn, not from the first", async () => {
    using workspace = begun();
    const files = new PromptFiles();
    for (let turn = 0; turn < 4; turn++) {
      const { files: seen } = await files.filesFor("s1", workspace.directory, "full", NOW + turn * (HOUR / 2));
      expect(seen[0]?.content).toBe("first");
      workspace.write("AGENTS.md", `version ${"x".repeat(turn)}`);
    }
  });

  test("is taken anew when the conversation moves to another workspace or set of files", async () => {
    using workspace = begun();
    using other = temporaryWorkspace();
    other.write("SOUL.md", "elsewhere");
    workspace.write("MEMORY.md", "private");
    const files = new PromptFiles();
    await files.filesFor("s1", workspace.directory, "full", NOW);
    const minimal = await files.filesFor("s1", workspace.directory, "minimal", NOW);
    expect(minimal.files.map(({ name }) => name)).toEqual(["AGENTS.md", "USER.md"]);
    const moved = await files.filesFor("s1", other.directory, "minimal", NOW);
    expect(moved.files.map(({ content }) => content)).toEqual(["elsewhere"]);
  });

  test("is forgotten by the conversation that was silent the longest when there are too many", async () => {
    using workspace = begun();
    const files = new PromptFiles();
    for (let session = 0; session < 2000; session++)
      await files.filesFor(`s${session}`, workspace.directory, "full", NOW);
    await files.filesFor("s0", workspace.directory, "full", NOW);
    await files.filesFor("one more", workspace.directory, "full", NOW);
    workspace.write("AGENTS.md", "second version");
    const [kept, forgotten] = [
      await files.filesFor("s0", workspace.directory, "full", NOW),
      await files.filesFor("s1", workspace.directory, "full", NOW),
    ];
    expect([kept.files[0]?.content, forgotten.files[0]?.content]).toEqual(["first", "second version"]);
  });

  test("takes the limits of its moment", async () => {
    using workspace = begun();
    let total = 100;
    const files = new PromptFiles({ limits: () => ({ perFile: 100, total }) });
    workspace.write("AGENTS.md", "a".repeat(90));
    expect((await files.filesFor("s1", workspace.directory, "full", NOW)).files).toHaveLength(1);
    total = 1000;
    expect((await files.filesFor("s1", workspace.directory, "full", NOW)).files).toHaveLength(1);
    expect((await files.filesFor("s2", workspace.directory, "full", NOW)).files).toHaveLength(2);
  });
});

describe("a change", () => {
  test("is named once, whether a file was edited, added, removed or put back", async () => {
    using workspace = begun();
    const files = new PromptFiles();
    const changed = async () => (await files.filesFor("s1", workspace.directory, "full", NOW)).changed;
    expect(await changed()).toEqual([]);
    workspace.write("MEMORY.md", "new");
    workspace.write("AGENTS.md", "second version");
    expect(await changed()).toEqual(["AGENTS.md", "MEMORY.md"]);
    expect(await changed()).toEqual([]);
    rmSync(join(workspace.directory, "USER.md"));
    workspace.write("AGENTS.md", "first");
    expect(await changed()).toEqual(["AGENTS.md", "USER.md"]);
    expect(await changed()).toEqual([]);
  });

  test("is no change when a file is written again as it was", async () => {
    using workspace = begun();
    const files = new PromptFiles();
    await files.filesFor("s1", workspace.directory, "full", NOW);
    rmSync(join(workspace.directory, "AGENTS.md"));
    workspace.write("AGENTS.md", "first");
    expect((await files.filesFor("s1", workspace.directory, "full", NOW)).changed).toEqual([]);
  });

  test("in the part of a file that was cut out is named too", async () => {
    using workspace = begun();
    const files = new PromptFiles({ limits: () => ({ perFile: 1000, total: 9000 }) });
    const text = (middle: string) => "a".repeat(5000) + middle + "a".repeat(5000);
    workspace.write("AGENTS.md", text("b"));
    await files.filesFor("s1", workspace.directory, "full", NOW);
    workspace.write("AGENTS.md", text("c!"));
    expect((await files.filesFor("s1", workspace.directory, "full", NOW)).changed).toEqual(["AGENTS.md"]);
  });

  test("is still told after somebody looked at what the conversation has been given", async () => {
    using workspace = begun();
    const files = new PromptFiles();
    expect(files.filesGiven("s1")).toBe(undefined);
    const first = await files.filesFor("s1", workspace.directory, "full", NOW);
    workspace.write("USER.md", "Beatrice");
    expect(files.filesGiven("s1")).toBe(first.files);
    expect((await files.filesFor("s1", workspace.directory, "full", NOW)).changed).toEqual(["USER.md"]);
  });

  test("is told to every conversation by itself", async () => {
    using workspace = begun();
    const files = new PromptFiles();
    await files.filesFor("s1", workspace.directory, "full", NOW);
    await files.filesFor("s2", workspace.directory, "full", NOW);
    workspace.write("USER.md", "Beatrice");
    expect((await files.filesFor("s1", workspace.directory, "full", NOW)).changed).toEqual(["USER.md"]);
    expect((await files.filesFor("s2", workspace.directory, "full", NOW)).changed).toEqual(["USER.md"]);
  });

  test("is not the end of the first meeting: the conversation keeps it, the next one has none", async () => {
    using workspace = temporaryWorkspace();
    await ensureWorkspace(workspace.directory, { skipBootstrap: false, now: NOW });
    const files = new PromptFiles();
    const hasMeeting = async (session: string) => {
      const seen = await files.filesFor(session, workspace.directory, "full", NOW);
      return { meets: seen.files.some(({ name }) => name === "BOOTSTRAP.md"), changed: seen.changed };
    };
    expect(await hasMeeting("s1")).toEqual({ meets: true, changed: [] });
    await completeBootstrap(workspace.directory, NOW);
    expect(await hasMeeting("s1")).toEqual({ meets: true, changed: [] });
    expect(await hasMeeting("s2")).toEqual({ meets: false, changed: [] });
  });
});
