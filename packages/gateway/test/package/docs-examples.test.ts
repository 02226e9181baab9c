// The examples people copy from the documentation are configurations the gateway takes as they are.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CHANNELS } from "../../src/rooms/channels/index.ts";
import { examineConfig } from "../../src/rooms/config/read/examine.ts";
import { formatPath, isObject, type JsonObject } from "../../src/rooms/config/edit/path.ts";
import { readConfigText } from "../../src/rooms/config/read/read-text.ts";
import { SECTIONS } from "../../src/rooms/config/schema/sections.ts";

const docs = fileURLToPath(new URL("../../../../docs/", import.meta.url));

interface Example {
  readonly page: string;
  readonly line: number;
  readonly text: string;
}

const pages = ["guides", "channels"].flatMap((folder) =>
  readdirSync(join(docs, folder)).map((name) => `${folder}/${name}`),
);
const examples = pages.flatMap(examplesIn);

/** What stands between the fences; inside a list they are indented. */
function examplesIn(page: string): Example[] {
  const text = readFileSync(join(docs, page), "utf8");
  return [...text.matchAll(/^ *```json5\n(.*?)^ *```$/gms)].map((found) => ({
    page,
    line: text.slice(0, found.index).split("\n").length,
    text: found[1] ?? "",
  }));
}

/** On the page of a channel, what names no section is about its block. */
function configOf({ page, text }: Example): JsonObject {
  const read = readConfigText(text);
  if (read.kind !== "read" || !isObject(read.value)) throw new Error(`not JSON5: ${text}`);
  if (Object.keys(read.value).some((key) => Object.hasOwn(SECTIONS, key))) return read.value;
  const channel = /^channels\/(.+)\.md$/.exec(page)?.[1] ?? "";
  return { channels: { [channel]: read.value } };
}

test.each(examples)("$page, line $line", (example) => {
  const { unused, findings, quarantined } = examineConfig(configOf(example));
  expect([...findings, ...quarantined].map(({ path, message }) => `${formatPath(path)}: ${message}`)).toEqual([]);
  expect(unused.map(({ path }) => formatPath(path))).toEqual([]);
});

test("there is an example for every channel", () => {
  const shown = new Set(examples.map(({ page }) => page));
  expect(CHANNELS.map(({ id }) => `channels/${id}.md`).filter((page) => !shown.has(page))).toEqual([]);
  expect(shown).toContain("guides/channels.md");
});

test("the guide links every channel's page", () => {
  const guide = readFileSync(join(docs, "guides/channels.md"), "utf8");
  expect(CHANNELS.map(({ id }) => id).filter((id) => !guide.includes(`(../channels/${id}.md)`))).toEqual([]);
});
