// A small internet with the tools for the web on it.
import type { RequestListener } from "node:http";
import type { Clock, Ids, Tool, ToolContext, ToolOutput } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { openSmallInternet, type SmallInternet } from "../../../base/http/safe-fetch.test-support.ts";
import { webFetchTool, webSearchTool, type WebHouse } from "./web-tools.ts";
import type { WebSettings } from "./web-settings.ts";

export interface WebBench extends AsyncDisposable {
  readonly internet: SmallInternet;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly fetchTool: Tool;
  readonly searchTool: Tool;
  fetchPage(args: object): Promise<WebOutcome>;
  search(args: object): Promise<WebOutcome>;
}

interface WebOutcome extends ToolOutput {
  readonly text: string;
  readonly details: Record<string, unknown>;
}

export interface WebBenchOptions {
  readonly settings?: WebSettings;
  readonly environment?: Readonly<Record<string, string>>;
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

const ids: Ids = { uuid: () => "uuid", entryId: () => "entry", secretHex: (bytes) => "5e".repeat(bytes) };
const searchAddresses = Object.fromEntries(
  ["brave", "gemini", "kimi", "perplexity", "openrouter", "grok"].map((name) => [name, `http://${name}.example/v1`]),
);

export async function openWebBench(answer: RequestListener, options: WebBenchOptions = {}): Promise<WebBench> {
  const clock = createFakeClock();
  const names = options.names ?? {};
  const internet = await openSmallInternet(answer, { clock: clock as Clock, names });
  const config = {
    current: () => ({ tools: { web: options.settings ?? {} } }),
    effectiveEnv: () => options.environment ?? {},
  };
  const house: WebHouse = { clock, ids, config };
  const outside = { fetch: internet.fetch, searchAddresses };
  const tools = {
    fetchTool: webFetchTool(house, outside) as unknown as Tool,
    searchTool: webSearchTool(house, outside) as unknown as Tool,
  };
  return {
    internet,
    clock,
    ...tools,
    fetchPage: (args) => run(tools.fetchTool, args),
    search: (args) => run(tools.searchTool, args),
    [Symbol.asyncDispose]: () => internet[Symbol.asyncDispose](),
  };
}

async function run(tool: Tool, args: object): Promise<WebOutcome> {
  const context = { signal: new AbortController().signal } as ToolContext;
  const output = await tool.run(tool.parameters().parse(args), context);
  const block = output.content[0];
  return {
    ...output,
    text: block?.type === "text" ? String(block.text) : "",
    details: output.details as Record<string, unknown>,
  };
}
