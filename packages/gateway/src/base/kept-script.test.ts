// A script is run with what was compiled for it, if that is of this very text and whole.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "chela-kept-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runner = join(import.meta.dirname, "kept-script.ts");
const program = join(folder, "program.ts");
const script = join(folder, "part-1.cjs");
writeFileSync(join(folder, "other.mjs"), `export const word = "from another file";`);
writeFileSync(
  script,
  `(function(moduleUrl,keepCompiled){"use strict";
    function late() { return import("./other.mjs"); }
    return { moduleUrl, keepCompiled, late };
  })`,
);
writeFileSync(
  program,
  `import { runKeptScript } from ${JSON.stringify(pathToFileURL(runner).href)};
  const { moduleUrl, keepCompiled, late } = runKeptScript(import.meta.url, "./part-1.cjs");
  const { word } = await late();
  console.log(JSON.stringify({ isHere: moduleUrl === import.meta.url, mayKeep: keepCompiled !== undefined, word }));
  keepCompiled?.();`,
);

/** In a process of its own: Node is told of the directory when it starts. */
function run(directory: string | undefined): unknown {
  const { NODE_OPTIONS: _unused, NODE_COMPILE_CACHE: _own, ...rest } = process.env;
  const env = { ...rest, ...(directory === undefined ? {} : { NODE_COMPILE_CACHE: directory }) };
  const args = ["--conditions=chela-source", "--disable-warning=ExperimentalWarning", program];
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: "utf8" }));
}

function keptIn(directory: string): string {
  const [name = ""] = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((one) =>
    one.endsWith(".kept"),
  );
  return join(directory, name);
}

describe("a script", () => {
  const answer = { isHere: true, word: "from another file" };

  it("is compiled once, and then run with what was kept", () => {
    const directory = join(folder, "cache");
    expect(run(directory)).toEqual({ ...answer, mayKeep: true });
    expect(run(directory)).toEqual({ ...answer, mayKeep: false });
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ["is cut", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ["is empty", () => Buffer.alloc(0)],
    ["is something else", (bytes) => Buffer.alloc(bytes.length)],
    ["has another bit", (bytes) => (bytes.writeUInt8(bytes.readUInt8(500) ^ 1, 500), bytes)],
  ])("is compiled anew when what was kept %s", (_name, damage) => {
    const directory = join(folder, `damaged-${_name.replaceAll(" ", "-")}`);
    run(directory);
    const kept = keptIn(directory);
    writeFileSync(kept, damage(readFileSync(kept)));
    expect(run(directory)).toEqual({ ...answer, mayKeep: true });
    expect(run(directory)).toEqual({ ...answer, mayKeep: false });
  });

  it("runs where nothing can be kept", () => {
    expect(run(undefined)).toEqual({ ...answer, mayKeep: false });
  });
});
