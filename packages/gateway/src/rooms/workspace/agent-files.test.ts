// The files of an agent as operators see and change them, and the identity that stands in one of them.
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFiles, completeBootstrap, readIdentity } from "./room.ts";
import { temporaryWorkspace } from "./temporary-workspace.test-support.ts";

describe("the files of an agent", () => {
  test("are listed whether they are there or not, without contents", async () => {
    using workspace = temporaryWorkspace();
    workspace.write("USER.md", "Ann");
    const listed = await agentFiles(workspace.directory).list();
    expect(listed.map(({ name }) => name)).toEqual(
      "AGENTS SOUL TOOLS IDENTITY USER HEARTBEAT BOOTSTRAP MEMORY".split(" ").map((name) => `${name}.md`),
    );
    expect(listed[0]).toEqual({ name: "AGENTS.md", path: join(workspace.directory, "AGENTS.md"), missing: true });
    const updatedAtMs = Math.floor(lstatSync(join(workspace.directory, "USER.md")).mtimeMs);
    expect(listed[4]).toEqual({
      name: "USER.md",
      path: join(workspace.directory, "USER.md"),
      missing: false,
      size: 3,
      updatedAtMs,
    });
  });

  test("are listed without the first meeting once it was held, and with the second memory where it is used", async () => {
    using workspace = temporaryWorkspace();
    workspace.write("memory.md", "old");
    await completeBootstrap(workspace.directory, 0);
    const names = (await agentFiles(workspace.directory).list()).map(({ name }) => name);
    expect(names).not.toContain("BOOTSTRAP.md");
    expect(names.slice(-2)).toEqual(["MEMORY.md", "memory.md"]);
  });

  test("are read and written", async () => {
    using workspace = temporaryWorkspace();
    const files = agentFiles(workspace.directory);
    expect(await files.get("SOUL.md")).toMatchObject({ missing: true });
    expect(await files.set("SOUL.md", "grüß dich")).toMatchObject({ missing: false, size: 11, content: "grüß dich" });
    expect(await files.get("SOUL.md")).toMatchObject({ content: "grüß dich" });
    expect(readdirSync(workspace.directory)).toEqual(["SOUL.md"]);
  });

  test("keep their rights when they are written", async () => {
    using workspace = temporaryWorkspace();
    writeFileSync(join(workspace.directory, "USER.md"), "", { mode: 0o640 });
    await agentFiles(workspace.directory).set("USER.md", "Ann");
    expect(lstatSync(join(workspace.directory, "USER.md")).mode & 0o777).toBe(0o640);
  });

  test.each([
    "x",
    "../USER.md",
    "/etc/passwd",
    "user.md",
    "USER.md\0",
    "memory/USER.md",
    ".openclaw/workspace-state.json",
    "",
  ])("are no others: %j", async (name) => {
    using workspace = temporaryWorkspace();
    const files = agentFiles(workspace.directory);
    const failure = { code: "WORKSPACE_FILE", message: `unsupported file "${name}"` };
    await expect(files.get(name)).rejects.toMatchObject(failure);
    await expect(files.set(name, "x")).rejects.toMatchObject(failure);
    expect(readdirSync(workspace.directory)).toEqual([]);
  });

  test("may have 2 MB and no more; a refused text changes nothing", async () => {
    using workspace = temporaryWorkspace();
    const files = agentFiles(workspace.directory);
    const limit = 2 * 1024 * 1024;
    expect(await files.set("MEMORY.md", "x".repeat(limit))).toMatchObject({ size: limit });
    await expect(files.set("MEMORY.md", `${"x".repeat(limit - 1)}ü`)).rejects.toMatchObject({ code: "WORKSPACE_FILE" });
    expect(await files.get("MEMORY.md")).toMatchObject({ size: limit });
  });

  test("are never read or written through a link out of the workspace", async () => {
    using workspace = temporaryWorkspace();
    const secret = join(workspace.outside, "secret");
    writeFileSync(secret, "secret");
    symlinkSync(secret, join(workspace.directory, "USER.md"));
    const files = agentFiles(workspace.directory);
    await expect(files.get("USER.md")).rejects.toMatchObject({ code: "WORKSPACE_FILE" });
    await expect(files.set("USER.md", "mine")).rejects.toMatchObject({ code: "WORKSPACE_FILE" });
    expect(readFileSync(secret, "utf8")).toBe("secret");
    expect(lstatSync(join(workspace.directory, "USER.md")).isSymbolicLink()).toBe(true);
    expect((await files.list())[4]).toEqual({
      name: "USER.md",
      path: join(workspace.directory, "USER.md"),
      missing: false,
    });
  });

  test("are not put in the place of a directory", async () => {
    using workspace = temporaryWorkspace();
    mkdirSync(join(workspace.directory, "USER.md"));
    await expect(agentFiles(workspace.directory).set("USER.md", "x")).rejects.toMatchObject({ code: "WORKSPACE_FILE" });
  });

  test("cannot be written where the workspace is a file, and the place is named", async () => {
    using workspace = temporaryWorkspace();
    workspace.write("file", "");
    const directory = join(workspace.directory, "file");
    await expect(agentFiles(directory).set("USER.md", "x")).rejects.toMatchObject({
      code: "WORKSPACE_DISK",
      message: expect.stringContaining(directory),
    });
  });
});

test.each<[string, object]>([
  [
    "- Name: Krabbe\n- Emoji: 🦀\n- Theme: dry\n- Avatar: avatars/k.png",
    { name: "Krabbe", emoji: "🦀", theme: "dry", avatar: "avatars/k.png" },
  ],
  ["- **Name:** Krabbe\n- **Emoji:** 🦀", { name: "Krabbe", emoji: "🦀" }],
  ["**Name**: *Krabbe*\n__Theme:__ `calm`", { name: "Krabbe", theme: "calm" }],
  ["# Who\r\nNAME: A: B\r\n", { name: "A: B" }],
  ["- Name:\n- **Emoji:** _(pick one)_\n- Theme: <none>\n- Avatar: …", {}],
  ["- Creature: crab\n- Vibe: calm", { theme: "crab" }],
  ["Name: first\nName: second", { name: "first" }],
  ["I was told that my name is secret.", {}],
  ["", {}],
])("IDENTITY.md %j is read", (text, expected) => {
  expect(readIdentity(text)).toEqual(expected);
});
