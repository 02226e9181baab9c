// Servers of MCP for tests: a small one on pipes, and one over HTTP that wants somebody to sign in.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Json, WireClient } from "../wire-client.ts";

const PROGRAM = fileURLToPath(new URL("./small-server.mjs", import.meta.url));

/** Outside of a sandbox unless the test says otherwise: most are about something else. */
export const smallServer = (more: Json = {}): Json => ({
  command: process.execPath,
  args: [PROGRAM],
  sandbox: { mode: "off" },
  ...more,
});

/** The text of the last result that a model was told. */
export function lastResult(messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>): string {
  return JSON.stringify(messages.findLast(({ role }) => role === "toolResult")?.content ?? "");
}

export async function openQuestion(client: WireClient): Promise<string | undefined> {
  const { pending } = await client.call("exec.approval.list");
  return pending[0]?.id;
}

export interface SignInServer extends AsyncDisposable {
  readonly url: string;
  /** Opens the page a person would open, and returns where their browser is sent back to. */
  visit(url: string): Promise<string>;
  /** Bearer tokens that came along. */
  readonly seen: string[];
  /** From now on that token is worth nothing. */
  forget(): void;
}

export async function startSignInServer(): Promise<SignInServer> {
  const seen: string[] = [];
  let good = "";
  let count = 0;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const json = (response: ServerResponse, body: unknown, status = 200): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString("utf8");
    switch (pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
      case "/.well-known/oauth-authorization-server":
        return json(response, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          code_challenge_methods_supported: ["S256"],
        });
      case "/register":
        return json(response, { client_id: "us" }, 201);
      case "/authorize":
        response.writeHead(302, {
          location: `${searchParams.get("redirect_uri")}?code=c1&state=${searchParams.get("state")}`,
        });
        return void response.end();
      case "/token":
        good = `token-${(count += 1)}`;
        return json(response, { access_token: good, refresh_token: `refresh-${count}`, expires_in: 3600 });
      case "/mcp":
        return answerMcp(request, response, body);
      default:
        json(response, {}, 404);
    }
  }
  function answerMcp({ headers }: IncomingMessage, response: ServerResponse, body: string): void {
    const token = headers.authorization?.replace("Bearer ", "") ?? "";
    if (token) seen.push(token);
    if (token !== good || good === "") {
      response.writeHead(401, {
        "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
      });
      return void response.end();
    }
    const { id, method } = JSON.parse(body || "{}") as { id?: number; method?: string };
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, object> = {
      "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
      "tools/list": {
        tools: [{ name: "hello", description: "Greets.", inputSchema: { type: "object", properties: {} } }],
      },
      "tools/call": { content: [{ type: "text", text: "hello there" }] },
    };
    json(response, { jsonrpc: "2.0", id, result: { resultType: "complete", ...results[method ?? ""] } });
  }
  return {
    url: `${origin}/mcp`,
    seen,
    forget: () => void (good = "nothing"),
    async visit(url) {
      const response = await fetch(url, { redirect: "manual" });
      return response.headers.get("location") ?? "";
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
