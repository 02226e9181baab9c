// Somebody swaps directories and links while the file tools run: they never touch what lies outside.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createYard, patch, SECRET, type Yard } from "./files.test-support.ts";
import { locate } from "./locate.ts";
import { openFile } from "./open-file.ts";
import { stageFile } from "./stage-file.ts";

const ROUNDS = 300;

let yard: Yard;
beforeEach(() => {
  yard = createYard();
  yard.put("sub/secret.txt", "mine\n");
  yard.put("file.txt", "mine\n");
  symlinkSync(join(yard.outside, "secret.txt"), join(yard.workspace, "link.txt"));
  symlinkSync(yard.outside, join(yard.workspace, "link"));
});
afterEach(() => yard[Symbol.dispose]());

/** Lets `sub` and `file.txt` be now themselves, now a link to the outside, until it is stopped. */
const RACER = `
  const { renameSync, rmSync } = require("node:fs");
  const put = (from, to) => {
    for (;;) {
      try { return renameSync(from, to); }
      // A tool has made a new directory in the gap.
      catch { try { rmSync(to, { recursive: true, force: true }); } catch {} }
    }
  };
  const swap = (a, b) => { put(a, "aside"); put(b, a); put("aside", b); };
  process.stdin.on("end", () => process.exit(0)).resume();
  const again = () => {
    for (let i = 0; i < 50; i++) { swap("sub", "link"); swap("file.txt", "link.txt"); }
    setImmediate(again);
  };
  again();
  process.stdout.write("running");
`;

async function whileRacing(work: (round: number) => Promise<void>): Promise<void> {
  const racer = spawn(process.execPath, ["-e", RACER], { cwd: yard.workspace, stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(racer, "exit");
  await once(racer.stdout, "data");
  try {
    for (let round = 0; round < ROUNDS; round++) await work(round);
  } finally {
    racer.stdin.end();
    expect(await exit).toEqual([0, null]);
  }
}

const OUTSIDE = { "deep/": "", "deep/secret.txt": SECRET, "secret.txt": SECRET };

test("nothing outside is read", async () => {
  const seen = new Set<string>();
  await whileRacing(async (round) => {
    const result = await yard.call("read", { path: round % 2 === 0 ? "sub/secret.txt" : "file.txt" });
    if (result.kind === "done") seen.add(result.text);
  });
  expect([...seen].filter((text) => text !== "mine")).toEqual([]);
});

test("nothing outside is written", async () => {
  await whileRacing(async (round) => {
    const calls = [
      ["write", { path: `sub/new-${round}.txt`, content: "written" }],
      ["write", { path: "sub/secret.txt", content: `written ${round}` }],
      ["write", { path: `sub/deep/${round}/new.txt`, content: "written" }],
      ["write", { path: "file.txt", content: "written" }],
      ["edit", { path: "sub/secret.txt", oldText: "written", newText: "edited" }],
      ["apply_patch", { input: patch(`*** Add File: sub/p-${round}.txt`, "+new", "*** Delete File: sub/secret.txt") }],
    ] as const;
    const [tool, args] = calls[round % calls.length] ?? calls[0];
    await yard.call(tool, args);
  });
  expect(yard.picture(yard.outside)).toEqual(OUTSIDE);
});

/** Moves `sub` away and puts a link to the outside in its place. */
function swapOnce(): void {
  mkdirSync(join(yard.workspace, "kept"));
  renameSync(join(yard.workspace, "sub"), join(yard.workspace, "kept/sub"));
  renameSync(join(yard.workspace, "link"), join(yard.workspace, "sub"));
}

test.each([true, false])("a directory that was swapped after it was found is noticed (held open: %s)", async (held) => {
  const rules = { workspace: yard.workspace, workspaceOnly: true, forbidden: [] };
  using existing = locate("sub/secret.txt", rules, held);
  using missing = locate("sub/new.txt", rules, held);
  swapOnce();
  await expect(openFile(existing)).rejects.toThrow("was moved");
  await expect(stageFile(missing, Buffer.from("new"), new AbortController().signal)).rejects.toThrow("was moved");
  expect(yard.picture(yard.outside)).toEqual(OUTSIDE);
  expect(yard.picture()).toMatchObject({ "kept/sub/secret.txt": "mine\n" });
});

test("a directory that is swapped before the last step is noticed where it cannot be held open", async () => {
  const rules = { workspace: yard.workspace, workspaceOnly: true, forbidden: [] };
  using place = locate("sub/secret.txt", rules, false);
  const staged = await stageFile(place, Buffer.from("new"), new AbortController().signal);
  swapOnce();
  expect(() => staged.commit(undefined)).toThrow("was moved");
  staged.settle();
  expect(yard.picture(yard.outside)).toEqual(OUTSIDE);
});
