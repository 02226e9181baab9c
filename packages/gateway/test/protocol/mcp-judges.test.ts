// Foreign judges of our MCP: the published conformance suite for both sides, the official SDKs, and a reference server.
import { spawn } from "node:child_process";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, say } from "@chela/sdk/testing";
import { eventually, startTestGateway, TEST_TOKEN, type TestGateway } from "../support/in-process.ts";
import { lastResult } from "../support/mcp/mcp-servers.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const here = dirname(fileURLToPath(import.meta.url));
const packageOf = (name: string) => join(here, "../../../../node_modules/@modelcontextprotocol", name);
const SUITE = join(packageOf("conformance"), "dist/index.js");
const CLIENT = `${process.execPath} --conditions=chela-source ${join(here, "../support/mcp/conformance-client.ts")}`;

let gateway: TestGateway;
let client: WireClient;
beforeAll(async () => {
  gateway = await startTestGateway({ config: { tools: { search: { direct: 60, share: 1 } } } });
  client = await gateway.connect();
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Lines of the suite's summary, by scenario. */
function runSuite(...args: string[]): Promise<Map<string, { readonly isFine: boolean; readonly line: string }>> {
  const { promise, resolve } = Promise.withResolvers<Map<string, { isFine: boolean; line: string }>>();
  const child = spawn(process.execPath, [SUITE, ...args], { stdio: ["ignore", "pipe", "pipe"], cwd: gateway.stateDir });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
  child.on("close", () => {
    const lines = output.matchAll(/^([✓✗]) (\S+): (\d+ passed, .*)$/gm);
    resolve(new Map([...lines].map(([, mark, name = "", line = ""]) => [name, { isFine: mark === "✓", line }])));
  });
  return promise;
}

const failed = (results: Awaited<ReturnType<typeof runSuite>>, skipped: Readonly<Record<string, string>>) =>
  [...results].flatMap(([name, { isFine, line }]) =>
    isFine || Object.hasOwn(skipped, name) ? [] : [`${name}: ${line}`],
  );

/** Extensions nobody asked for: each is optional by the specification itself. */
const NOT_OURS: Readonly<Record<string, string>> = {
  "auth/client-credentials-jwt": "signing in without a person, for which a header is configured instead",
  "auth/client-credentials-basic": "signing in without a person, for which a header is configured instead",
  "auth/enterprise-managed-authorization": "exchange of tokens with a company's identity provider",
  "auth/dpop": "proof of possession of tokens",
  "auth/dpop-nonce": "proof of possession of tokens",
  "auth/wif-jwt-bearer": "identities of workloads in a cloud",
};

describe("our client", () => {
  test.for([
    ["2025-11-25", 19],
    ["2026-07-28", 32],
  ] as const)("passes the suite of %s", { timeout: 240_000 }, async ([revision, least]) => {
    const results = await runSuite("client", "--command", CLIENT, "--requirements", revision, "--timeout", "90000");
    expect(failed(results, NOT_OURS)).toEqual([]);
    expect(results.size - Object.keys(NOT_OURS).filter((name) => results.has(name)).length).toBeGreaterThanOrEqual(
      least,
    );
  });

  test("uses the reference server everything on its pipes", async () => {
    const args = [join(packageOf("server-everything"), "dist/index.js"), "stdio"];
    await client.call("mcp.put", {
      name: "all",
      server: { command: process.execPath, args, sandbox: { mode: "off" } },
    });
    const { tools } = await client.call("mcp.approve", { name: "all" });
    expect(tools.length).toBeGreaterThan(10);
    const result = async (name: string, more: Json = {}) => {
      gateway.model.script(callTool(name, more), say("done"));
      await client.agent("use it", { sessionKey: "agent:main:judged" });
      return lastResult(gateway.model.requests.at(-1)?.messages ?? []);
    };
    expect(await result("all__echo", { message: "hello" })).toContain("Echo: hello");
    expect(await result("all__get-tiny-image")).toContain('"type":"image"');
    expect(await result("all__resources_list")).toContain("://");
    expect(await result("all__prompts_list")).toContain("simple");
    expect(await result("all__trigger-long-running-operation", { duration: 1, steps: 2 })).toContain("completed");
  });

  test("uses a server of the newest revision, made with the official package", async () => {
    const handler = toNodeHandler(
      createMcpHandler(() => {
        const server = new McpServer({ name: "newest", version: "1" });
        server.registerTool(
          "add",
          {
            description: "Adds.",
            inputSchema: z.object({ a: z.number(), b: z.number() }),
            outputSchema: z.object({ sum: z.number() }),
          },
          ({ a, b }) => ({ content: [], structuredContent: { sum: a + b } }),
        );
        return server;
      }),
    );
    const server = createServer(
      (request, response) => void handler(request as Parameters<typeof handler>[0], response),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    await client.call("mcp.put", { name: "newest", server: { url } });
    await client.call("mcp.approve", { name: "newest" });
    expect((await client.call("mcp.status", { name: "newest" })).servers[0].protocol).toBe("2026-07-28");
    gateway.model.script(callTool("newest__add", { a: 20, b: 22 }), say("done"));
    await client.agent("add", { sessionKey: "agent:main:newest" });
    expect(lastResult(gateway.model.requests.at(-1)?.messages ?? [])).toContain("42");
    server.closeAllConnections();
    server.close();
  });
});

/** What this server has not: it serves conversations, and neither prompts nor tools made for a test. */
const NOT_SERVED: Readonly<Record<string, string>> = {
  "completion-complete": "has no prompts and no arguments to complete",
  "tools-call-simple-text": "calls a tool of the suite's own server",
  "tools-call-image": "calls a tool of the suite's own server",
  "tools-call-audio": "calls a tool of the suite's own server",
  "tools-call-embedded-resource": "calls a tool of the suite's own server",
  "tools-call-mixed-content": "calls a tool of the suite's own server",
  "tools-call-with-logging": "calls a tool of the suite's own server",
  "tools-call-with-progress": "calls a tool of the suite's own server",
  "tools-call-error": "calls a tool of the suite's own server",
  "tools-call-sampling": "calls a tool of the suite's own server",
  "tools-call-elicitation": "calls a tool of the suite's own server",
  "json-schema-2020-12": "calls a tool of the suite's own server",
  "elicitation-sep1034-defaults": "calls a tool of the suite's own server",
  "elicitation-sep1330-enums": "calls a tool of the suite's own server",
  "server-sse-polling": "answers at once, and opens no stream",
  "server-sse-multiple-streams": "answers at once, and opens no stream",
  "logging-set-level": "sends no log to clients",
  "resources-read-text": "reads a resource of the suite's own server",
  "resources-read-binary": "reads a resource of the suite's own server",
  "resources-templates-read": "reads a resource of the suite's own server",
  "resources-subscribe": "is asked again instead of telling",
  "resources-unsubscribe": "is asked again instead of telling",
  "prompts-list": "has no prompts",
  "prompts-get-simple": "has no prompts",
  "prompts-get-with-args": "has no prompts",
  "prompts-get-embedded-resource": "has no prompts",
  "prompts-get-with-image": "has no prompts",
  caching: "has no prompts, whose lists this looks at, too",
  "http-custom-header-server-validation": "marks no argument for a header",
};
/** Checks within a scenario that call tools of the suite's own server; it says so itself ("not testable"). */
const NEEDS_OWN_TOOLS = "server-stateless: 21 passed, 4 failed";
const neverAsks = (name: string) => name.startsWith("input-required-result-") || name.startsWith("tasks-");

describe("our server", () => {
  /** The suite cannot show a secret: somebody in between does that for it. */
  async function withSecret<T>(work: (url: string) => Promise<T>): Promise<T> {
    const { port } = gateway.gateway;
    const proxy = createServer((request, response) => {
      const headers = { ...request.headers, authorization: `Bearer ${TEST_TOKEN}` };
      const forward = httpRequest(
        { port, host: "127.0.0.1", path: request.url, method: request.method, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(forward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    try {
      return await work(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  }

  test.for(["2025-11-25", "2026-07-28"])(
    "passes what applies of the suite of %s",
    { timeout: 240_000 },
    async (revision) => {
      const results = await withSecret((url) => runSuite("server", "--url", url, "--requirements", revision));
      const applies = new Map([...results].filter(([name]) => !neverAsks(name)));
      expect(failed(applies, NOT_SERVED).filter((line) => line !== NEEDS_OWN_TOOLS)).toEqual([]);
      expect([...applies].filter(([, { isFine }]) => isFine).map(([name]) => name)).toEqual(
        expect.arrayContaining(["tools-list", "resources-list", "dns-rebinding-protection"]),
      );
    },
  );

  test("is used by the official client over HTTP: conversations, messages, answers, transcripts", async () => {
    const judge = new Client({ name: "judge", version: "1" });
    const headers = { authorization: `Bearer ${TEST_TOKEN}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${gateway.http}/mcp`), { requestInit: { headers } });
    await judge.connect(transport as Parameters<typeof judge.connect>[0]);
    const { tools } = await judge.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "conversations_list",
        "messages_read",
        "messages_send",
        "permissions_respond",
        "memory_search",
        "cron_add",
      ]),
    );
    const session_key = "agent:main:over-mcp";
    const sent = await judge.callTool({ name: "messages_send", arguments: { session_key, text: "hello", wait: true } });
    expect(JSON.stringify(sent.structuredContent)).toMatch(/echo: [^"]*hello/);
    const listed = await judge.callTool({ name: "conversations_list", arguments: {} });
    expect(JSON.stringify(listed.structuredContent)).toContain(session_key);
    const { contents } = await judge.readResource({ uri: `chela://session/${encodeURIComponent(session_key)}` });
    expect(JSON.stringify(contents)).toMatch(/echo: [^"]*hello/);
    const job = { name: "daily", cron: "0 7 * * *", message: "good morning" };
    expect((await judge.callTool({ name: "cron_add", arguments: job })).isError).toBeFalsy();
    expect(JSON.stringify(await judge.callTool({ name: "cron_list", arguments: {} }))).toContain("daily");
    await expect(judge.readResource({ uri: "chela://session/agent:main:nobody" })).rejects.toThrow("no resource");
    const wrong = await judge.callTool({ name: "messages_read", arguments: { session_key: 7 } });
    expect(wrong.isError).toBe(true);
    await judge.close();
  });

  test("is closed to whoever shows no secret, and to pages of others", async () => {
    const ask = { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }) };
    expect((await gateway.fetch("/mcp", { ...ask, token: null })).status).toBe(401);
    expect((await gateway.fetch("/mcp", { ...ask, headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await gateway.fetch("/mcp", ask)).status).toBe(200);
  });

  test("is used on the pipes of `chela mcp serve`", async () => {
    const judge = new Client({ name: "judge", version: "1" });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        "--conditions=chela-source",
        join(here, "../../src/cli/main.ts"),
        "mcp",
        "serve",
        "--url",
        gateway.url,
        "--token",
        TEST_TOKEN,
      ],
      env: { HOME: gateway.stateDir, OPENCLAW_STATE_DIR: gateway.stateDir, PATH: process.env["PATH"] ?? "" },
    });
    await judge.connect(transport);
    const answer = await judge.callTool({ name: "conversations_list", arguments: {} });
    expect(answer.isError).toBeFalsy();
    await judge.close();
    await eventually("its process ended", () => transport.pid === null || undefined);
  });
});
