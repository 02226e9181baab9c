// `chela memory model …`: which models there are, and that another file than the pinned one is never kept.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/stages/command-here.ts";

function makePlace(): (line: string) => Promise<{ code: number; text: string }> {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-models-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  return (line) => runCommand({ stateDir }, line);
}

it("lists what can be installed, with size and licence", async () => {
  const run = makePlace();
  expect(await run("memory model list")).toEqual({
    code: 0,
    text: "multilingual: multilingual-e5-small (MIT), not installed, 129 MB to fetch\n",
  });
  const { text } = await run("memory model list --json");
  expect(JSON.parse(text)).toMatchObject({ models: [{ id: "multilingual", installed: false }] });
});

it("refuses what a server sends instead, and says so", async () => {
  const server = createServer((_request, response) => response.end("something else"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const run = makePlace();
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { code, text } = await run(`memory model install multilingual --yes --from ${from}`);
  expect([code, text]).toEqual([1, expect.stringContaining("it is not the file it should be: its hash is another")]);
  expect((await run("memory model list")).text).toContain("not installed");
});

it("fetches nothing without a yes, and knows no other models", async () => {
  const run = makePlace();
  const { code } = await run("memory model install multilingual --from http://127.0.0.1:9/");
  expect(code).not.toBe(0);
  expect((await run("memory model install nonsense --yes")).text).toContain('There is no model "nonsense"');
  expect(await run("memory model remove multilingual")).toMatchObject({ code: 0 });
});
