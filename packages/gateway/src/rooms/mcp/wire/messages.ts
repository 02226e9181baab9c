// Messages of JSON-RPC as MCP sends them: their shapes, how one is told from another, and the codes of errors.
import * as z from "zod";
import { once } from "@chela/sdk";

export type RpcId = string | number;
export type RpcParams = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly method: string;
  readonly params?: RpcParams | undefined;
}

export interface RpcNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: RpcParams | undefined;
}

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface RpcAnswer {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly result?: RpcParams | undefined;
  readonly error?: RpcFailure | undefined;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer;

export const RPC = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  urlElicitation: -32042,
} as const;

const Params = () => z.record(z.string(), z.unknown());

const Message = once(() =>
  z.object({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]).nullish(),
    method: z.string().optional(),
    params: Params().optional(),
    result: Params().optional(),
    error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
  }),
);

/** Undefined for what is no message of JSON-RPC. */
export function readMessage(value: unknown): RpcMessage | undefined {
  const read = Message().safeParse(value).data;
  if (!read) return undefined;
  const { jsonrpc, method, params, result, error } = read;
  const id = read.id ?? undefined;
  if (method !== undefined) {
    const asked = { jsonrpc, method, ...(params ? { params } : {}) };
    return id === undefined ? asked : { ...asked, id };
  }
  // A request that could not be read has no id; whoever sent it finds it by the connection.
  if (error) return { jsonrpc, id: id ?? "", error };
  return result && id !== undefined ? { jsonrpc, id, result } : undefined;
}

export function isRequest(message: RpcMessage): message is RpcRequest {
  return "method" in message && "id" in message && message.id !== undefined;
}

export function isNotification(message: RpcMessage): message is RpcNotification {
  return "method" in message && !("id" in message && message.id !== undefined);
}

/** What the other side answered to a request: its own number and words. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: RpcFailure) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}
