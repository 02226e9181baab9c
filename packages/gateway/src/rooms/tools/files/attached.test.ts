// Files that came with a message: readable by their name, and nothing else of the state directory.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfined } from "./read-confined.ts";

const DIGEST = "ab".repeat(32);
let state = "";
let workspace = "";
let attached = "";

beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), "chela-attached-"));
  workspace = join(state, "workspace");
  attached = join(state, "media", "inbound");
  mkdirSync(workspace);
  mkdirSync(attached, { recursive: true });
  writeFileSync(join(state, "secret.txt"), "secret");
  writeFileSync(join(attached, `${DIGEST}.txt`), "hello");
  writeFileSync(join(attached, `${DIGEST}.about.json`), "{}");
  writeFileSync(join(attached, "other.txt"), "other");
  symlinkSync(join(state, "secret.txt"), join(attached, `${"cd".repeat(32)}.txt`));
});
afterAll(() => rmSync(state, { recursive: true, force: true }));

const read = async (path: string): Promise<string> => {
  const settings = () => ({ forbidden: [state], attached });
  const context = { agentId: "main", workspace, signal: new AbortController().signal };
  return Buffer.from(await readConfined(path, { fileSettings: settings }, context, 1000)).toString();
};

test("a file that came with a message can be read by its name", async () => {
  expect(await read(join(attached, `${DIGEST}.txt`))).toBe("hello");
});

test.each([
  ["what is known about it", () => join(attached, `${DIGEST}.about.json`)],
  ["a file with another name", () => join(attached, "other.txt")],
  ["the directory", () => attached],
  ["a link out of it", () => join(attached, `${"cd".repeat(32)}.txt`)],
  ["a way around", () => join(attached, "..", "..", "secret.txt")],
  ["a way through it", () => `${attached}/${DIGEST}.txt/../../../secret.txt`],
  ["the state directory", () => join(state, "secret.txt")],
])("%s cannot", async (_what, path) => {
  await expect(read(path())).rejects.toThrow();
});
