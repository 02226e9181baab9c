// The tool `image`: where pictures come from, which are refused, and what the model that sees them is given.
import { GatewayError, type Tool, type ToolContext } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { describe, expect, it } from "vitest";
import { openSmallInternet, type SmallInternet } from "../../../base/http/safe-fetch.test-support.ts";
import { describeTool } from "../gate/describe-tool.ts";
import { openWebBench } from "../web/web-bench.test-support.ts";
import { imageTool, type LookRequest, type PictureSources, type Vision } from "./image-tool.ts";

const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20)]);
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(20)]);
const dataUrl = (bytes: Buffer, type = "image/png") => `data:${type};base64,${bytes.toString("base64")}`;

interface Bench extends AsyncDisposable {
  readonly tool: Tool;
  readonly internet: SmallInternet;
  readonly looked: LookRequest[];
  readonly signal: AbortSignal;
  run(args: object): ReturnType<Tool["run"]>;
}

async function openBench(files: Readonly<Record<string, Buffer>> = {}, whyBlind?: string): Promise<Bench> {
  const looked: LookRequest[] = [];
  const internet = await openSmallInternet((request, response) => {
    if (request.url === "/missing.png") response.writeHead(404).end();
    else response.end(request.url === "/page.png" ? "<html>no</html>" : JPEG);
  });
  const sources: PictureSources = {
    fetch: internet.fetch,
    readFile: async (path) => {
      const file = files[path];
      if (!file) throw new GatewayError("TOOL_PATH", `"${path}" is outside the workspace`);
      return file;
    },
  };
  const vision: Vision = {
    look: async (request) => {
      looked.push(request);
      return "A red claw.";
    },
    whyBlind: () => whyBlind,
  };
  const house = { clock: createFakeClock(), fileSettings: () => ({ forbidden: [] }) };
  const tool = imageTool(house, vision, sources) as unknown as Tool;
  const { signal } = new AbortController();
  const context = { agentId: "main", sessionKey: "agent:main:main", signal } as ToolContext;
  return {
    tool,
    internet,
    looked,
    signal,
    run: async (args) => tool.run(tool.parameters().parse(args), context),
    [Symbol.asyncDispose]: () => internet[Symbol.asyncDispose](),
  };
}

describe("pictures", () => {
  it("are gathered from files, addresses and data, and looked at together", async () => {
    await using bench = await openBench({ "shots/a.png": PNG });
    const images = ["http://a.example/b.jpg", dataUrl(PNG), "shots/a.png"];
    const output = await bench.run({ prompt: "What is it?", image: "shots/a.png", images, model: "openai/gpt-5" });
    expect(bench.looked).toEqual([
      {
        prompt: "What is it?",
        model: "openai/gpt-5",
        agentId: "main",
        sessionKey: "agent:main:main",
        signal: bench.signal,
        images: [
          { type: "image", mimeType: "image/png", data: PNG.toString("base64") },
          { type: "image", mimeType: "image/jpeg", data: JPEG.toString("base64") },
          { type: "image", mimeType: "image/png", data: PNG.toString("base64") },
        ],
      },
    ]);
    expect(output.content).toEqual([{ type: "text", text: "A red claw." }]);
    expect(output.details).toMatchObject({
      images: [{ source: "shots/a.png", mimeType: "image/png", bytes: 28 }, {}, {}],
    });
  });

  it("are known by their bytes, not by what they are called", async () => {
    await using bench = await openBench({ "a.png": JPEG });
    await bench.run({ image: "a.png" });
    expect(bench.looked[0]).toMatchObject({
      images: [{ mimeType: "image/jpeg" }],
      prompt: expect.stringMatching(/\w/),
    });
    expect(bench.looked[0]).not.toHaveProperty("model");
  });

  it.for([
    ["none named", {}, /No picture was named/],
    ["only blanks named", { image: " ", images: [""] }, /No picture was named/],
    [
      "more than allowed",
      { images: Array.from({ length: 21 }, (_, index) => `${index}.png`) },
      /21 pictures.*at most 20/,
    ],
    ["more than asked for", { images: ["a.png", "b.png"], maxImages: 1 }, /at most 1 /],
    ["text", { image: "notes.txt" }, /"notes\.txt" is text, not a PNG/],
    ["a PDF", { image: "a.pdf" }, /is a PDF document, not a PNG/],
    ["nothing in it", { image: "empty.png" }, /is empty, not/],
    ["a page instead", { image: "http://a.example/page.png" }, /is text, not a PNG/],
    ["an error instead", { image: "http://a.example/missing.png" }, /answered with status 404/],
    ["a file outside", { image: "/etc/passwd" }, /outside the workspace/],
    ["another kind of address", { image: "file:///etc/passwd" }, /cannot be opened. Give a path/],
    ["a private address", { image: "http://169.254.169.254/a.png" }, /link-local/],
    ["data without its form", { image: "data:image/png,abc" }, /must look like data:image\/png;base64/],
    ["data that is no picture", { image: dataUrl(Buffer.from("hello")) }, /is text, not a PNG/],
    ["too many bytes as data", { image: dataUrl(Buffer.alloc(3000)), maxBytesMb: 0.002 }, /larger than the 2 KB/],
    ["too many bytes in a file", { image: "large.png", maxBytesMb: 0.002 }, /larger than the 2 KB/],
    [
      "too many bytes in all",
      { images: ["1.png", "2.png", "3.png", "4.png", "5.png"] },
      /"5\.png" is larger than the \d+ /,
    ],
  ] as const)("with %s are refused in a sentence, and nobody is asked", async ([, args, says]) => {
    const large = Buffer.concat([PNG, Buffer.alloc(3000)]);
    const huge = Buffer.concat([PNG, Buffer.alloc(9.9 * 1024 * 1024)]);
    await using bench = await openBench({
      "notes.txt": Buffer.from("hello"),
      "a.pdf": Buffer.from("%PDF-1.7"),
      "empty.png": Buffer.alloc(0),
      "large.png": large,
      ...Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`${index}.png`, huge])),
    });
    await expect(bench.run(args)).rejects.toThrow(says);
    expect(bench.looked).toEqual([]);
  });
});

it("image is not offered when no model can see", async () => {
  await using bench = await openBench({}, "no model here can look at pictures");
  expect(bench.tool.unavailable?.({ agentId: "main", sessionKey: "agent:main:main", model: {} as never })).toBe(
    "no model here can look at pictures",
  );
});

it("image, web_fetch and web_search together cost a model at most 1.6 KB", async () => {
  await using bench = await openBench();
  await using web = await openWebBench((_, response) => response.end());
  const told = JSON.stringify([bench.tool, web.fetchTool, web.searchTool].map(describeTool));
  expect(told.length).toBeLessThanOrEqual(1600);
});
