// The gateway as a server of MCP: what it answers to each request, in both eras. Nothing is kept between two requests.
import * as z from "zod";
import { GatewayError, UNFORESEEN, isBug, type Lazy } from "@chela/sdk";
import { WireError } from "@chela/sdk/protocol";
import { HttpError } from "../../../base/http/request.ts";
import { LEGACY_VERSION, LEGACY_VERSIONS, META, MODERN_VERSION } from "../client/protocol.ts";
import { RPC, RpcError, type RpcParams } from "../wire/messages.ts";

/** One tool others may call. */
export interface ServedTool<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Lazy<S>;
  readonly isReadOnly: boolean;
  run(args: z.output<S>): Promise<unknown>;
}

export interface ServedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly mimeType: string;
}

export interface Served {
  readonly version: string;
  readonly tools: readonly ServedTool[];
  resources(): Promise<readonly ServedResource[]>;
  readonly templates: ReadonlyArray<{ readonly uriTemplate: string; readonly name: string; readonly mimeType: string }>;
  /** Undefined when there is no such resource. */
  read(uri: string): Promise<{ readonly mimeType: string; readonly text: string } | undefined>;
}

export type Answer = (method: string, params: RpcParams) => Promise<RpcParams>;

const INSTRUCTIONS =
  "A gateway for agents in chats. Conversations are named by their session key; messages_send asks the agent of one, and waits for its answer if told to.";

/** Asked by a client of the newest revision, which says in each request who it is. */
export function modernAnswers(served: Served): Answer {
  const answer = answers(served);
  return async (method, params) => {
    // Gone with the handshake, and with the connection that it was about.
    if (method === "ping") throw unknownMethod(method);
    const info = { name: "chela", version: served.version };
    const result =
      method === "server/discover"
        ? { supportedVersions: [MODERN_VERSION, ...LEGACY_VERSIONS], ...welcome(), ...UNCACHED }
        : await answer(method, params);
    return {
      resultType: "complete",
      ...result,
      ...(isCacheable(method) ? UNCACHED : {}),
      _meta: { [META.serverInfo]: info },
    };
  };
}

/** Asked by a client that shook hands. */
export function legacyAnswers(served: Served): Answer {
  const answer = answers(served);
  return async (method, params) => {
    if (method !== "initialize") return answer(method, params);
    const asked = params["protocolVersion"];
    const protocolVersion = typeof asked === "string" && LEGACY_VERSIONS.includes(asked) ? asked : LEGACY_VERSION;
    return { protocolVersion, serverInfo: { name: "chela", version: served.version }, ...welcome() };
  };
}

function welcome() {
  return { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS };
}

/** Every conversation may have gone on by the next request. */
const UNCACHED = { ttlMs: 0, cacheScope: "private" };

function isCacheable(method: string): boolean {
  return ["tools/list", "resources/list", "resources/templates/list", "resources/read"].includes(method);
}

function answers(served: Served): Answer {
  return async (method, params) => {
    switch (method) {
      case "ping":
        return {};
      case "tools/list":
        return { tools: served.tools.map(describe) };
      case "tools/call":
        return callTool(served, params);
      case "resources/list":
        return { resources: [...(await served.resources())] };
      case "resources/templates/list":
        return { resourceTemplates: [...served.templates] };
      case "resources/read":
        return readResource(served, params);
      default:
        throw unknownMethod(method);
    }
  };
}

function unknownMethod(method: string): RpcError {
  return new RpcError({ code: RPC.method, message: `there is no method ${method.slice(0, 100)}` });
}

function describe({ name, title, description, input, isReadOnly }: ServedTool) {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input(), { io: "input" }) as Record<string, unknown>;
  return { name, title, description, inputSchema, annotations: { readOnlyHint: isReadOnly, openWorldHint: false } };
}

async function callTool({ tools }: Served, params: RpcParams): Promise<RpcParams> {
  const tool = tools.find(({ name }) => name === params["name"]);
  if (!tool)
    throw new RpcError({ code: RPC.params, message: `there is no tool ${String(params["name"]).slice(0, 100)}` });
  const args = tool.input().safeParse(params["arguments"] ?? {});
  if (!args.success) return failed(z.prettifyError(args.error));
  try {
    const result = await tool.run(args.data);
    return { content: [{ type: "text", text: JSON.stringify(result, null, 1) }], structuredContent: result };
  } catch (error) {
    return failed(wordsOf(error));
  }
}

function failed(text: string): RpcParams {
  return { content: [{ type: "text", text }], isError: true };
}

/** A refusal is for whoever called; what nobody foresaw is not. */
function wordsOf(error: unknown): string {
  if (GatewayError.is(error)) return error.explain();
  if (error instanceof HttpError || error instanceof WireError) return error.message;
  return isBug(error) || !(error instanceof Error) ? UNFORESEEN : error.message;
}

async function readResource(served: Served, params: RpcParams): Promise<RpcParams> {
  const uri = String(params["uri"] ?? "");
  const found = await served.read(uri);
  if (!found)
    throw new RpcError({ code: RPC.params, message: `there is no resource ${uri.slice(0, 200)}`, data: { uri } });
  return { contents: [{ uri, ...found }] };
}
