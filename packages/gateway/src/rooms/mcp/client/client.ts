// A server of MCP, as the rest of the room speaks to it: the same calls whichever era it is of.
import type * as z from "zod";
import { isObject } from "@chela/sdk/base";
import { RPC, RpcError, type RpcParams } from "../wire/messages.ts";
import type { Wire } from "../wire/wire.ts";
import { markedParameters, parameterHeaders, standardHeaders } from "./param-headers.ts";
import type { Peer, AskOptions } from "./peer.ts";
import {
  InputRequired,
  META,
  MODERN_VERSION,
  PromptDefinition,
  PromptResult,
  ReadResult,
  ResourceDefinition,
  TemplateDefinition,
  ToolDefinition,
  ToolResult,
  type Era,
  type ServerCapabilities,
  type ServerInfo,
} from "./protocol.ts";

/** What a server may ask of us while it works on a call. */
export interface Inward {
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Folders the server may work in, as file addresses. */
  roots(): ReadonlyArray<{ readonly uri: string; readonly name?: string }>;
  /** Absent: nobody can be asked. */
  elicit?(params: RpcParams, signal: AbortSignal): Promise<RpcParams>;
  changed(what: "tools" | "resources" | "prompts"): void;
  closed(why: Error): void;
}

export interface Welcome {
  readonly era: Era;
  readonly version: string;
  readonly serverInfo: ServerInfo;
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string | undefined;
}

export type CallOptions = Pick<AskOptions, "signal" | "timeoutMs" | "onProgress">;

/** What the lists of a server may be at most; more than that is no list anybody could use. */
const MOST_PAGES = 100;
const MOST_ITEMS = 5_000;
/** How often a server may ask for something before it answers one request. */
const MOST_ROUNDS = 10;

export function clientCapabilities(inward: Inward): RpcParams {
  return { roots: {}, ...(inward.elicit ? { elicitation: { form: {}, url: {} } } : {}) };
}

export class McpClient {
  readonly welcome: Welcome;
  readonly #peer: Peer;
  readonly #wire: Wire;
  readonly #inward: Inward;
  /** Of the tools that were listed last, for their headers. */
  #headersOf = new Map<string, (args: RpcParams) => Record<string, string>>();

  constructor(peer: Peer, wire: Wire, inward: Inward, welcome: Welcome) {
    this.#peer = peer;
    this.#wire = wire;
    this.#inward = inward;
    this.welcome = welcome;
    peer.hangsUp = welcome.era === "modern" && wire.kind === "http";
  }

  get isOver(): boolean {
    return this.#peer.isOver;
  }

  /** Tools that can be called; those whose marks cannot be followed are left out, as they have to be. */
  async listTools(options: CallOptions = {}): Promise<ToolDefinition[]> {
    const all = await this.#list("tools/list", "tools", ToolDefinition(), options);
    this.#headersOf = new Map();
    if (this.welcome.era === "legacy") return all;
    return all.filter((tool) => {
      const marks = markedParameters(tool);
      if (marks.kind === "fine") this.#headersOf.set(tool.name, (args) => parameterHeaders(marks.marked, args));
      return marks.kind === "fine" || this.#wire.kind !== "http";
    });
  }

  async callTool(name: string, args: RpcParams, options: CallOptions = {}): Promise<ToolResult> {
    const headers = this.#headersOf.get(name)?.(args) ?? {};
    return ToolResult().parse(await this.#ask("tools/call", { name, arguments: args }, { ...options, headers }));
  }

  listResources(options: CallOptions = {}) {
    return this.#list("resources/list", "resources", ResourceDefinition(), options);
  }

  listTemplates(options: CallOptions = {}) {
    return this.#list("resources/templates/list", "resourceTemplates", TemplateDefinition(), options);
  }

  async readResource(uri: string, options: CallOptions = {}): Promise<ReadResult> {
    return ReadResult().parse(await this.#ask("resources/read", { uri }, options));
  }

  listPrompts(options: CallOptions = {}) {
    return this.#list("prompts/list", "prompts", PromptDefinition(), options);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions = {},
  ): Promise<PromptResult> {
    return PromptResult().parse(await this.#ask("prompts/get", { name, arguments: args }, options));
  }

  /** Has the server tell of changes, where it can. */
  hearOfChanges(): void {
    const { tools, resources, prompts } = this.welcome.capabilities;
    if (this.welcome.era === "legacy") return this.#wire.hearMore?.();
    const wanted = {
      ...(tools?.listChanged ? { toolsListChanged: true } : {}),
      ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
      ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
    };
    if (Object.keys(wanted).length === 0) return;
    // It is answered when it ends, and nothing is lost by its end: lists are asked for again anyway.
    this.#ask("subscriptions/listen", { notifications: wanted }, {}).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#peer.close();
  }

  async #list<S extends z.ZodType>(method: string, key: string, item: S, options: CallOptions): Promise<z.output<S>[]> {
    const found: z.output<S>[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES && found.length < MOST_ITEMS; page += 1) {
      const result = await this.#ask(method, cursor === undefined ? {} : { cursor }, options);
      const items = Array.isArray(result[key]) ? (result[key] as unknown[]) : [];
      // One that nobody can read takes none of the others along.
      for (const one of items) {
        const read = item.safeParse(one);
        if (read.success) found.push(read.data);
      }
      cursor = typeof result["nextCursor"] === "string" ? result["nextCursor"] : undefined;
      if (cursor === undefined) break;
    }
    return found;
  }

  async #ask(method: string, params: RpcParams, options: AskOptions): Promise<RpcParams> {
    if (this.welcome.era === "legacy") return this.#peer.ask(method, params, options);
    let more: RpcParams = {};
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const result = await askModern(this.#peer, this.#inward, method, { ...params, ...more }, options);
      if (result["resultType"] !== "input_required") return result;
      more = await this.#answerInput(result, options.signal);
    }
    throw new RpcError({ code: RPC.internal, message: "it asks again and again, and never answers" });
  }

  /** What it asked for, by the names it gave; its own state goes back as it came. */
  async #answerInput(result: RpcParams, signal = new AbortController().signal): Promise<RpcParams> {
    const { inputRequests = {}, requestState } = InputRequired().parse(result);
    const inputResponses: Record<string, unknown> = {};
    for (const [key, { method, params = {} }] of Object.entries(inputRequests))
      inputResponses[key] = await answerInward(this.#inward, method, params, signal);
    return {
      ...(Object.keys(inputResponses).length > 0 ? { inputResponses } : {}),
      ...(requestState === undefined ? {} : { requestState }),
    };
  }
}

/** One request that says by itself who asks, in which revision, and what can be asked of us. */
export function askModern(
  peer: Peer,
  inward: Inward,
  method: string,
  params: RpcParams,
  { headers = {}, ...options }: AskOptions,
): Promise<RpcParams> {
  const meta = {
    ...(isObject(params["_meta"]) ? params["_meta"] : {}),
    [META.version]: MODERN_VERSION,
    [META.clientInfo]: inward.clientInfo,
    [META.clientCapabilities]: clientCapabilities(inward),
  };
  const named = params["name"] ?? params["uri"];
  const isNamed = ["tools/call", "prompts/get", "resources/read"].includes(method) && typeof named === "string";
  const standard = standardHeaders(method, isNamed ? named : undefined);
  return peer.ask(method, { ...params, _meta: meta }, { ...options, headers: { ...headers, ...standard } });
}

/** Requests of a server: what nobody here does is refused by the number for it. */
export async function answerInward(
  inward: Inward,
  method: string,
  params: RpcParams,
  signal: AbortSignal,
): Promise<RpcParams> {
  switch (method) {
    case "ping":
      return {};
    case "roots/list":
      return { roots: inward.roots() };
    case "elicitation/create":
      if (inward.elicit) return inward.elicit(params, signal);
      break;
    default:
  }
  throw new RpcError({ code: RPC.method, message: `${method} is not done here` });
}
