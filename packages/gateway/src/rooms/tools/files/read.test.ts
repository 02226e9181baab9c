// Reading: pages, long lines, images, and what is said about things that cannot be shown.
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createYard, MODEL, type Yard } from "./files.test-support.ts";

let yard: Yard;
beforeEach(() => {
  yard = createYard();
});
afterEach(() => yard[Symbol.dispose]());

const numbered = (count: number, width = 1) =>
  Array.from({ length: count }, (_, index) => `${index + 1}`.padStart(width, "0")).join("\n");

test.each([
  ["a\nb\nc\n", {}, "a\nb\nc"],
  ["a\nb\nc", {}, "a\nb\nc"],
  ["a\r\nb\r\n", {}, "a\nb"],
  ["\uFEFFa\nb\n", {}, "a\nb"],
  ["a\n\n\nb\n", {}, "a\n\n\nb"],
  ["a\nb\nc\n", { offset: 2 }, "b\nc"],
  ["a\nb\nc\n", { offset: "3" }, "c"],
  ["a\nb\nc\n", { limit: 3 }, "a\nb\nc"],
  ["a\nb\nc\n", { limit: 2 }, "a\nb\n\n[Lines 1-2 are shown, more follow. Continue with offset 3.]"],
  ["a\nb\nc\n", { offset: 2, limit: 1 }, "b\n\n[Lines 2-2 are shown, more follow. Continue with offset 3.]"],
  ["", {}, "\n\n[The file is empty.]"],
  ["äöü — 你好 🙂\n", {}, "äöü — 你好 🙂"],
])("%j with %j gives %j", async (content, range, expected) => {
  yard.put("a.txt", content);
  expect(await yard.call("read", { path: "a.txt", ...range })).toMatchObject({ kind: "done", text: expected });
});

test("file_path means path", async () => {
  yard.put("a.txt", "a");
  expect(await yard.call("read", { file_path: "a.txt" })).toMatchObject({ text: "a" });
});

test("an offset behind the end is answered with the number of lines", async () => {
  yard.put("a.txt", "a\nb\n");
  const result = await yard.call("read", { path: "a.txt", offset: 9 });
  expect(result).toEqual({ kind: "failed", text: '"a.txt" has 2 lines, so there is no line 9.' });
});

test("following the notices gives the whole file, each page within its limits", async () => {
  const content = numbered(30_000, 9);
  yard.put("long.txt", content);
  const got: string[] = [];
  let pages = 0;
  for (let offset: number | undefined = 1; offset !== undefined; pages++) {
    const result = await yard.call("read", { path: "long.txt", offset });
    if (result.kind === "failed") throw new Error(result.text);
    const text = result.text.split("\n\n[")[0] ?? "";
    expect(text.length).toBeLessThanOrEqual(50 * 1024);
    got.push(text);
    offset = result.details.nextOffset;
  }
  expect(got.join("\n")).toBe(content);
  expect(pages).toBeGreaterThan(3);
});

test.each([
  [8_000, 5_120],
  [100_000, 8_000],
  [10_000_000, 16_000],
])("a model with %d tokens of context gets %d lines of ten bytes at once", async (contextWindow, lines) => {
  yard.put("long.txt", numbered(60_000, 9));
  const result = await yard.call("read", { path: "long.txt" }, { model: { ...MODEL, contextWindow } });
  expect(result).toMatchObject({ details: { nextOffset: lines + 1 } });
});

test("a model with a large context gets eight pages of long lines at most", async () => {
  yard.put("long.txt", numbered(1_000, 1_023));
  const result = await yard.call("read", { path: "long.txt" }, { model: { ...MODEL, contextWindow: 10_000_000 } });
  expect(result).toMatchObject({ details: { nextOffset: 8 * 50 + 1 } });
});

test("a line that is too long is cut between letters, and the next line is complete", async () => {
  yard.put("long.txt", `start\nx${"ä".repeat(300_000)}\nend\n`);
  const result = await yard.call("read", { path: "long.txt" });
  const [first, second, third, , notice] = result.text.split("\n");
  expect([first, third]).toEqual(["start", "end"]);
  expect(second).toBe(`x${"ä".repeat(9_999)}`);
  expect(notice).toBe("[Cut after 20000 bytes because they are longer: line 2.]");
});

test("a file of two gigabytes is read at its beginning without being loaded", async () => {
  const file = openSync(yard.put("huge.log", ""), "w");
  writeSync(file, `${"line\n".repeat(10_000)}`);
  ftruncateSync(file, 2 ** 31);
  closeSync(file);
  const before = process.memoryUsage().arrayBuffers;
  const result = await yard.call("read", { path: "huge.log", offset: 9_000, limit: 2 });
  expect(result.text).toMatch(/^line\nline\n/);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20);
});

test.each([
  ["image/png", "\x89PNG\r\n\x1a\n rest"],
  ["image/jpeg", "\xff\xd8\xff\xe0 rest"],
  ["image/gif", "GIF89a rest"],
  ["image/webp", "RIFF\x01\x02\x03\x04WEBPVP8 rest"],
])("%s is shown as an image, whatever its name", async (mimeType, bytes) => {
  const data = Buffer.from(bytes, "latin1");
  yard.put("picture.txt", data);
  const result = await yard.call("read", { path: "picture.txt" });
  expect(result).toMatchObject({
    output: { content: [{ type: "text" }, { type: "image", mimeType, data: data.toString("base64") }] },
  });
  const blind = await yard.call("read", { path: "picture.txt" }, { model: { ...MODEL, input: ["text"] } });
  expect(blind.text).toContain("this model sees text only");
});

test("an image of more than five megabytes is refused", async () => {
  yard.put("big.png", Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(5 * 2 ** 20)]));
  expect((await yard.call("read", { path: "big.png" })).text).toContain("more than 5242880 bytes");
});

test.each([
  ["a PDF document", "%PDF-1.7\n"],
  ["a ZIP archive or an Office document", "PK\x03\x04abc"],
  ["gzip-compressed data", "\x1f\x8b\x08abc"],
  ["an SQLite database", "SQLite format 3\0abc"],
  ["an executable program", "\x7fELF\x02"],
  ["a tar archive", `${"a".repeat(257)}ustar`],
  ["an audio file", "ID3\x04"],
  ["a video or audio file", "\0\0\0\x18ftypmp42"],
  ["UTF-16 text", "\xff\xfea\0b\0"],
  ["binary data", "abc\0def"],
])("%s is named and refused", async (name, bytes) => {
  yard.put("thing", Buffer.from(bytes, "latin1"));
  expect((await yard.call("read", { path: "thing" })).text).toBe(
    `"thing" is ${name}, not text; this tool cannot show it.`,
  );
});

test("text in an old encoding is shown with a warning", async () => {
  yard.put("old.txt", Buffer.from("gr\xfc\xdfe\n", "latin1"));
  expect((await yard.call("read", { path: "old.txt" })).text).toContain(
    "Bytes that are not UTF-8 are shown as \uFFFD.",
  );
});

test("a directory is answered with what is in it", async () => {
  yard.put("folder/b.txt", "");
  yard.put("folder/a/c.txt", "");
  const result = await yard.call("read", { path: "folder" });
  expect(result.text).toBe('"folder" is a directory. Choose a file in it: a/, b.txt.');
  for (let index = 0; index < 60; index++) yard.put(`many/file-${`${index}`.padStart(2, "0")}`, "");
  expect((await yard.call("read", { path: "many" })).text).toMatch(/file-00, .*file-49 and more\.$/);
});

test.each([
  ["reamde.md", "README.md"],
  ["readme.txt", "README.md"],
  ["src/indx.ts", "index.ts"],
  ["srcs/index.ts", "src/"],
])("a missing %s is answered with %s", async (path, near) => {
  for (const name of ["README.md", "src/index.ts", "src/zebra.css", "unlike"]) yard.put(name, "");
  const result = await yard.call("read", { path });
  expect(result.text).toMatch(/^There is no (file|directory)/);
  expect(result.text).toContain(`Names like it there: ${near}`);
});

test("a stopped turn stops reading", async () => {
  yard.put("a.txt", "a");
  expect(await yard.call("read", { path: "a.txt" }, { signal: AbortSignal.abort() })).toMatchObject({ kind: "failed" });
});
