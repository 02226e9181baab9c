// `/mcp` on the gateway's port: streamable HTTP for clients that show the gateway's secret. No request depends on one before it.
import type { HolderCall } from "@chela/sdk";
import { isObject, parseJson } from "@chela/sdk/base";
import type { Ask } from "@chela/sdk/protocol";
import { readRawBody, sendJson, sendText } from "../../../base/http/request.ts";
import type { House } from "../../../house/house.ts";
import { failureOf } from "../client/peer.ts";
import { readHeaderValue } from "../client/param-headers.ts";
import { LEGACY_VERSIONS, META, MODERN_VERSION } from "../client/protocol.ts";
import {
  isNotification,
  isRequest,
  readMessage,
  RPC,
  type RpcFailure,
  type RpcId,
  type RpcRequest,
} from "../wire/messages.ts";
import { serveGateway } from "./gateway-tools.ts";
import { legacyAnswers, modernAnswers } from "./server.ts";

const MOST_BYTES = 4 * 1024 * 1024;

export async function answerOverHttp(call: HolderCall, { version }: Pick<House, "version">): Promise<void> {
  const { request, response } = call;
  // Nothing is told without being asked, and nothing has to be ended.
  if (request.method !== "POST") return sendText(response, 405, "Method Not Allowed", { allow: "POST" });
  const message = readMessage(parseJson((await readRawBody(request, MOST_BYTES)).toString("utf8")));
  const refuse = (status: number, id: RpcId | null, error: RpcFailure): void =>
    sendJson(response, status, { jsonrpc: "2.0", id, error });
  if (!message) return refuse(400, null, { code: RPC.parse, message: "this is no message of JSON-RPC" });
  if (isNotification(message) || !isRequest(message)) return void response.writeHead(202).end();
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return typeof value === "string" ? value : undefined;
  };
  const isModern = isOfNewest(message, header);
  const wrong = isModern ? whyNotModern(message, header) : whyNotLegacy(header);
  if (wrong) return refuse(400, message.id, wrong);
  const served = serveGateway(askBy(call), version);
  const answer = isModern ? modernAnswers(served) : legacyAnswers(served);
  try {
    const result = await answer(message.method, message.params ?? {});
    sendJson(response, 200, { jsonrpc: "2.0", id: message.id, result });
  } catch (error) {
    const failure = failureOf(error);
    const status = !isModern ? 200 : failure.code === RPC.method ? 404 : 400;
    refuse(status, message.id, failure);
  }
}

/** The same checks and the same audit trail as for any other client. */
function askBy({ callMethod }: HolderCall): Ask {
  return ((method: never, params: unknown) => callMethod(method, params ?? {})) as unknown as Ask;
}

type Header = (name: string) => string | undefined;

function metaOf({ params }: RpcRequest): Readonly<Record<string, unknown>> {
  const meta = params?.["_meta"];
  return isObject(meta) ? meta : {};
}

function isOfNewest(message: RpcRequest, header: Header): boolean {
  const written = header("mcp-protocol-version");
  if (message.method === "server/discover" || metaOf(message)[META.version] !== undefined) return true;
  if (message.method === "initialize") return written === MODERN_VERSION;
  return written !== undefined && !LEGACY_VERSIONS.includes(written);
}

function whyNotModern(message: RpcRequest, header: Header): RpcFailure | undefined {
  const meta = metaOf(message);
  const written = header("mcp-protocol-version");
  const missing = [META.version, META.clientCapabilities].filter((key) => meta[key] === undefined);
  if (missing.length > 0) return { code: RPC.params, message: `_meta lacks ${missing.join(", ")}` };
  if (!isObject(meta[META.clientCapabilities]))
    return { code: RPC.params, message: `${META.clientCapabilities} is no object` };
  if (written === undefined) return { code: RPC.headerMismatch, message: "the header MCP-Protocol-Version is missing" };
  if (written !== meta[META.version])
    return { code: RPC.headerMismatch, message: "MCP-Protocol-Version says another revision than _meta" };
  if (written !== MODERN_VERSION) {
    const data = { supported: [MODERN_VERSION, ...LEGACY_VERSIONS], requested: written };
    return { code: RPC.unsupportedVersion, message: "this revision is not known here", data };
  }
  return whyHeadersDiffer(message, header);
}

/** What is repeated in a header has to be what the body says: somebody on the way may have gone by it. */
function whyHeadersDiffer({ method, params = {} }: RpcRequest, header: Header): RpcFailure | undefined {
  const differs = (name: string, wanted: unknown): RpcFailure | undefined => {
    const written = header(name);
    if (written === undefined) return { code: RPC.headerMismatch, message: `the header ${name} is missing` };
    if (readHeaderValue(written.trim()) === wanted) return undefined;
    return { code: RPC.headerMismatch, message: `the header ${name} says something else than the body` };
  };
  const named = method === "resources/read" ? params["uri"] : params["name"];
  const hasName = ["tools/call", "resources/read", "prompts/get"].includes(method) && typeof named === "string";
  return differs("mcp-method", method) ?? (hasName ? differs("mcp-name", named) : undefined);
}

function whyNotLegacy(header: Header): RpcFailure | undefined {
  const written = header("mcp-protocol-version");
  if (written === undefined || LEGACY_VERSIONS.includes(written)) return undefined;
  return { code: RPC.request, message: `the revision ${written.slice(0, 40)} is not known here` };
}
