// No path, however it is written and whatever links stand in the way, leads a file tool out of its workspace.
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callsOn, createYard, SECRET, type Yard } from "./files.test-support.ts";
import { locate } from "./locate.ts";

let yard: Yard;
beforeEach(() => {
  yard = createYard();
  yard.put("own.txt", "mine\n");
  yard.put("sub/own.txt", "mine\n");
  const link = (target: string, name: string) => symlinkSync(target, join(yard.workspace, name));
  link(join(yard.outside, "secret.txt"), "absolute-link");
  link("../outside/secret.txt", "relative-link");
  link(yard.outside, "folder-link");
  link("../outside", "relative-folder-link");
  link("../../outside/secret.txt", "sub/deep-link");
  link("absolute-link", "link-to-link");
  link("folder-link/deep", "link-through-link");
  link(join(yard.outside, "new.txt"), "dangling-absolute");
  link("../outside/new.txt", "dangling-relative");
  link("../outside/new/er/file.txt", "dangling-deep");
  link("missing/../../outside/secret.txt", "dangling-then-up");
  link("sub/../../outside/secret.txt", "up-again");
  link("..", "parent");
  link("/", "root");
  link(".", "here");
  link("circle-b", "circle-a");
  link("circle-a", "circle-b");
  link("itself", "itself");
  link("/proc/self/cwd", "working-directory");
  link("/proc/self/environ", "environment");
  link(yard.workspace + "/../outside/secret.txt", "absolute-with-dots");
  link(`${yard.workspace}-evil/secret.txt`, "sister");
  mkdirSync(`${yard.workspace}-evil`);
});
afterEach(() => yard[Symbol.dispose]());

const fromRoot = () => relative("/", join(yard.outside, "secret.txt"));

const ESCAPES: readonly [name: string, path: () => string][] = [
  ["up", () => "../outside/secret.txt"],
  ["up from a directory", () => "sub/../../outside/secret.txt"],
  ["up from a missing directory", () => "missing/../../outside/secret.txt"],
  ["up twice from a directory", () => "sub/.././../outside/secret.txt"],
  ["up with many slashes", () => "..//..///outside//secret.txt"],
  ["up with dots between", () => "./././../outside/./secret.txt"],
  ["up far beyond the root", () => `${"../".repeat(40)}${fromRoot()}`],
  ["up and down again", () => `../${basename(yard.workspace)}/../outside/secret.txt`],
  ["up, to a sister with the same beginning", () => "../ws-evil/secret.txt"],
  ["a sister, absolute", () => `${yard.workspace}-evil/secret.txt`],
  ["absolute", () => join(yard.outside, "secret.txt")],
  ["absolute with dots", () => `${yard.workspace}/../outside/secret.txt`],
  ["absolute with dots in the middle", () => `${yard.workspace}/sub/../../outside/secret.txt`],
  ["absolute with two slashes in front", () => `/${join(yard.outside, "secret.txt")}`],
  ["absolute with three slashes in front", () => `//${join(yard.outside, "secret.txt")}`],
  ["the parent itself", () => ".."],
  ["the parent with a slash", () => "../"],
  ["the root", () => "/"],
  ["a system file", () => "/etc/hosts"],
  ["the passwords", () => "/etc/passwd"],
  ["own environment", () => "/proc/self/environ"],
  ["own memory", () => "/proc/self/mem"],
  ["the root through /proc", () => `/proc/self/root${join(yard.outside, "secret.txt")}`],
  ["the working directory through /proc", () => "/proc/self/cwd/package.json"],
  ["a descriptor", () => "/proc/self/fd/0"],
  ["a thread of ours", () => "/proc/thread-self/environ"],
  ["a descriptor through /dev", () => "/dev/fd/0"],
  ["standard input", () => "/dev/stdin"],
  ["a device that never ends", () => "/dev/zero"],
  ["the home directory", () => "~"],
  ["a file in the home directory", () => "~/.ssh/id_rsa"],
  ["up from the home directory", () => `~/../../../../../../${fromRoot()}`],
  ["a link", () => "absolute-link"],
  ["a relative link", () => "relative-link"],
  ["a link with a dot in front", () => "./absolute-link"],
  ["a link with a slash behind", () => "absolute-link/"],
  ["a link with a dot behind", () => "absolute-link/."],
  ["a link, absolute", () => join(yard.workspace, "absolute-link")],
  ["a linked directory", () => "folder-link/secret.txt"],
  ["a linked directory, relative", () => "relative-folder-link/secret.txt"],
  ["a linked directory, deeper", () => "folder-link/deep/secret.txt"],
  ["a linked directory, new file", () => "folder-link/new.txt"],
  ["a linked directory, new directories", () => "folder-link/new/er/file.txt"],
  ["a linked directory itself", () => "folder-link"],
  ["a linked directory with a slash", () => "folder-link/"],
  ["a link in a directory", () => "sub/deep-link"],
  ["a link in a directory, the long way", () => "sub/../sub/./deep-link"],
  ["a link to a link", () => "link-to-link"],
  ["a link through a link", () => "link-through-link/secret.txt"],
  ["a dangling link", () => "dangling-absolute"],
  ["a dangling relative link", () => "dangling-relative"],
  ["a dangling link through missing directories", () => "dangling-deep"],
  ["a dangling link that goes up", () => "dangling-then-up"],
  ["a link that goes in and up", () => "up-again"],
  ["a link to the parent", () => "parent/outside/secret.txt"],
  ["a link to the parent, up again", () => "parent/../../outside/secret.txt"],
  ["a link to the root", () => `root/${fromRoot()}`],
  ["a link to here, then the parent", () => "here/parent/outside/secret.txt"],
  ["a link to here many times, then out", () => `${"here/".repeat(20)}absolute-link`],
  ["a link to here too many times", () => `${"here/".repeat(60)}own.txt`],
  ["a circle", () => "circle-a"],
  ["a circle as a directory", () => "circle-a/own.txt"],
  ["a link to itself", () => "itself"],
  ["a link into /proc", () => "working-directory/package.json"],
  ["a link to the environment", () => "environment"],
  ["a link with dots", () => "absolute-with-dots"],
  ["a link to a sister", () => "sister"],
  ["a NUL", () => "own.txt\0.png"],
  ["a NUL before an escape", () => "own.txt\0/../../outside/secret.txt"],
  ["a NUL in front", () => "\0../outside/secret.txt"],
  ["a line break", () => "own.txt\n../outside/secret.txt"],
  ["an escape character", () => "\u001b[2Jown.txt"],
  ["a Windows path", () => "C:\\Windows\\system.ini"],
  ["a Windows path with slashes", () => "C:/Windows/system.ini"],
  ["backslashes up", () => "..\\..\\outside\\secret.txt"],
  ["backslashes up from a directory", () => "sub\\..\\..\\outside\\secret.txt"],
  ["a network share", () => "\\\\server\\share\\secret.txt"],
  ["nothing", () => ""],
  ["a space", () => "  "],
  ["the workspace itself", () => "."],
  ["the workspace, absolute", () => yard.workspace],
  ["a directory", () => "sub"],
  ["a directory with a slash", () => "sub/"],
  ["a new file with a slash", () => "new-file/"],
  ["a file as a directory", () => "own.txt/secret.txt"],
  ["a file with a slash", () => "own.txt/"],
  ["a name that is too long", () => `${"x".repeat(300)}.txt`],
  ["a path that is too long", () => "x/".repeat(3000)],
];

test.each(ESCAPES)("%s is refused by every tool and nothing changes", async (_name, path) => {
  const before = yard.picture(yard.root);
  for (const [tool, args] of callsOn(path())) {
    const result = await yard.call(tool, args);
    expect(result, `${tool} ${JSON.stringify(args)}`).toMatchObject({ kind: "failed" });
    expect(result.text).not.toContain(SECRET.trim());
  }
  expect(yard.picture(yard.root)).toEqual(before);
});

test.each(ESCAPES)("%s is refused where directories cannot be held open", (_name, path) => {
  const rules = { workspace: yard.workspace, workspaceOnly: true, forbidden: [] };
  const find = () => {
    using place = locate(path(), rules, false);
    // Directories and new files inside are found here and refused by what opens them.
    if (place.kind === "file" || !`${place.real}/`.startsWith(`${yard.workspace}/`)) return `found ${place.real}`;
    throw new Error("refused later");
  };
  expect(find).toThrow();
});

test.skipIf(process.platform !== "linux")("no call leaves a descriptor open", async () => {
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (const path of [
    "folder-link/secret.txt",
    "sub/own.txt",
    "sub/new.txt",
    "a/b/c.txt",
    "sub",
    "own.txt/x",
    "circle-a",
  ]) {
    for (const [tool, args] of callsOn(path)) await yard.call(tool, args);
  }
  expect(open() - before).toBeLessThan(5);
});

test("names that only look like a way out stay inside", async () => {
  for (const path of [
    "%2e%2e/a.txt",
    "．．/a.txt",
    "..%2fa.txt",
    "...",
    "..a",
    "~root/a.txt",
    "a..b/c",
    "é/e\u0301.txt",
  ]) {
    const result = await yard.call("write", { path, content: "x" });
    expect(result, path).toMatchObject({ kind: "done" });
    expect(yard.text(path)).toBe("x");
  }
  expect(yard.picture(yard.outside)).toEqual({ "deep/": "", "deep/secret.txt": SECRET, "secret.txt": SECRET });
});

test("links that stay inside are followed, and what they lead to is changed, not the link", async () => {
  symlinkSync("sub/own.txt", join(yard.workspace, "inside-link"));
  symlinkSync(join(yard.workspace, "sub"), join(yard.workspace, "inside-folder"));
  symlinkSync("sub/fresh.txt", join(yard.workspace, "inside-dangling"));
  expect(await yard.call("read", { path: "inside-link" })).toMatchObject({ text: "mine" });
  await yard.call("edit", { path: "inside-link", oldText: "mine", newText: "changed" });
  await yard.call("write", { path: "inside-folder/more.txt", content: "more" });
  await yard.call("write", { path: "inside-dangling", content: "fresh" });
  await yard.call("write", { path: "here/here/own.txt", content: "through here" });
  const after = yard.picture();
  expect(after).toMatchObject({ "inside-link": "-> sub/own.txt", "inside-dangling": "-> sub/fresh.txt" });
  expect(after).toMatchObject({ "sub/own.txt": "changed\n", "sub/more.txt": "more", "sub/fresh.txt": "fresh" });
  expect(after["own.txt"]).toBe("through here");
});

test("a workspace that is reached through a link is known by both its names", async () => {
  const alias = join(yard.root, "alias");
  symlinkSync(yard.workspace, alias);
  symlinkSync(join(alias, "own.txt"), join(yard.workspace, "by-alias"));
  const at = { workspace: alias };
  for (const path of ["own.txt", join(alias, "own.txt"), join(yard.workspace, "own.txt"), "by-alias"]) {
    expect(await yard.call("read", { path }, at), path).toMatchObject({ kind: "done", text: "mine" });
  }
});

test("the home directory is written ~ when the workspace lies in it", async () => {
  vi.stubEnv("HOME", yard.root);
  try {
    expect(realpathSync(homedir())).toBe(yard.root);
    expect(await yard.call("read", { path: "~/ws/own.txt" })).toMatchObject({ kind: "done", text: "mine" });
    expect(await yard.call("read", { path: "~/outside/secret.txt" })).toMatchObject({ kind: "failed" });
  } finally {
    vi.unstubAllEnvs();
  }
});

test("writing to a file with a second name outside leaves the outside as it is", async () => {
  const calls = callsOn("shared.txt").filter(
    ([tool, args]) => tool !== "read" && !JSON.stringify(args).includes("Add File"),
  );
  for (const [tool, args] of calls) {
    rmSync(join(yard.workspace, "shared.txt"), { force: true });
    linkSync(join(yard.outside, "secret.txt"), join(yard.workspace, "shared.txt"));
    await yard.call(tool, args);
    expect(readFileSync(join(yard.outside, "secret.txt"), "utf8")).toBe(SECRET);
  }
});

test("pipes and sockets are refused without waiting for anybody", async () => {
  execFileSync("sh", ["-c", "mkfifo pipe"], { cwd: yard.workspace });
  const server = createServer().listen(join(yard.workspace, "socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    for (const [tool, args] of [...callsOn("pipe"), ...callsOn("socket")]) {
      expect(await yard.call(tool, args)).toMatchObject({ kind: "failed" });
    }
    expect(yard.picture()).toMatchObject({ pipe: "special", socket: "special", "own.txt": "mine\n" });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test("a refusal says what is allowed", async () => {
  const result = await yard.call("read", { path: "../outside/secret.txt" });
  expect(result.text).toBe(
    `"../outside/secret.txt" lies outside the workspace. Use a path inside the workspace ${yard.workspace}, such as notes/today.md.`,
  );
});

test("an absent workspace is named", async () => {
  const result = await yard.call("read", { path: "a" }, { workspace: join(yard.root, "nowhere") });
  expect(result.text).toContain("nowhere cannot be opened");
});
