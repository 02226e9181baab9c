// The tool `attach`: which files it takes, and what the model is told to write.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Tool, ToolContext } from "@chela/sdk";
import { expect, it } from "vitest";
import { describeTool } from "../gate/describe-tool.ts";
import { createYard, SECRET, type Yard } from "../files/files.test-support.ts";
import { attachTool, type AttachRequest } from "./attach-tool.ts";

const SESSION = "agent:main:main";

interface Kept {
  readonly content: string;
  readonly request: AttachRequest;
}

function openDesk(yard: Yard, maxBytes = 1024 * 1024) {
  const kept: Kept[] = [];
  const tool = attachTool({
    fileSettings: () => ({ forbidden: [join(yard.workspace, "closed")] }),
    config: { current: () => ({ agents: { defaults: { mediaMaxMb: maxBytes / 1024 / 1024 } } }) },
    media: async () => ({
      async take(content, request) {
        const parts: Uint8Array[] = [];
        for await (const chunk of content) parts.push(chunk);
        const bytes = Buffer.concat(parts);
        kept.push({ content: bytes.toString(), request });
        return { id: "abc", name: request.name, mimeType: "text/plain", bytes: bytes.length };
      },
      mintHandle: (sessionKey, id) => (sessionKey === SESSION ? `media:${id}.def` : "media:of-another"),
    }),
  }) as unknown as Tool;
  const stop = new AbortController();
  const context = { agentId: "main", sessionKey: SESSION, workspace: yard.workspace, signal: stop.signal };
  return {
    tool,
    kept,
    stop,
    run: async (args: object) => await tool.run(tool.parameters().parse(args), context as ToolContext),
  };
}

it("a file of the workspace is kept, and the model is told the line that sends it", async () => {
  using yard = createYard();
  const text = "A long report.\n".repeat(50_000);
  yard.put("out/report.txt", text);
  const desk = openDesk(yard);
  const output = await desk.run({ path: "out/report.txt" });
  expect(output.content).toEqual([
    {
      type: "text",
      text:
        "report.txt (text/plain, 732 KB) is ready. To send it, put this on a line of its own in your reply:\n" +
        "MEDIA:media:abc.def",
    },
  ]);
  expect(output.details).toEqual({
    path: "out/report.txt",
    id: "abc",
    handle: "media:abc.def",
    name: "report.txt",
    mimeType: "text/plain",
    bytes: 750_000,
  });
  expect(desk.kept[0]?.content).toBe(text);
  expect(desk.kept[0]?.request).toMatchObject({
    name: "report.txt",
    direction: "outbound",
    maxBytes: 1024 * 1024,
  });
});

it("what `read` may not open cannot be attached either", async () => {
  using yard = createYard();
  yard.put("closed/key.txt", SECRET);
  yard.put("large.bin", Buffer.alloc(2 * 1024 * 1024));
  symlinkSync(join(yard.outside, "secret.txt"), join(yard.workspace, "link.txt"));
  const desk = openDesk(yard);
  const refusals: [string, RegExp][] = [
    [join(yard.outside, "secret.txt"), /lies outside the workspace/],
    ["../outside/secret.txt", /lies outside the workspace/],
    ["link.txt", /leads outside the workspace through a link/],
    ["closed/key.txt", /belongs to the gateway or to another agent/],
    ["/etc/passwd", /lies outside the workspace/],
    ["missing.txt", /missing\.txt/],
    [".", /directory|holds/],
    ["large.bin", /larger than the 1 MB that can be sent/],
    ["", /names no file/],
  ];
  for (const [path, says] of refusals) await expect(desk.run({ path }), path).rejects.toThrow(says);
  expect(desk.kept).toEqual([]);
});

it("a turn that is stopped stops the reading", async () => {
  using yard = createYard();
  yard.put("a.txt", "a");
  const desk = openDesk(yard);
  desk.stop.abort();
  await expect(desk.run({ path: "a.txt" })).rejects.toMatchObject({ name: "AbortError" });
});

it("a model is told about it in few words", () => {
  using yard = createYard();
  const { tool } = openDesk(yard);
  expect(tool.description.length).toBeLessThanOrEqual(120);
  expect(JSON.stringify(describeTool(tool)).length).toBeLessThanOrEqual(400);
  expect(tool).toMatchObject({ family: "media", effects: ["read"] });
});
