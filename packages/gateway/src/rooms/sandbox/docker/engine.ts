// Speaks with a container engine over its unix socket. Each answer has a limit on bytes and on time, and is parsed by the caller's schema.
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type * as z from "zod";
import { GatewayError, type Clock, type SandboxBackendId } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { parseJson } from "@chela/sdk/base";
import { EngineComplaint } from "./engine-answers.ts";

export interface EngineParts {
  readonly clock: Clock;
  readonly id: Exclude<SandboxBackendId, "bubblewrap">;
  /** Asked before each connection: a socket may appear while we run. */
  socketPath(): string;
}

interface EngineCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Statuses below 400 are always answers; these are too. */
  readonly expects?: readonly number[];
  /** 20 seconds unless told otherwise. */
  readonly timeoutMs?: number;
}

interface EngineAnswer {
  readonly status: number;
  readonly json: unknown;
  /** What the engine says about a failure. */
  readonly complaint: string;
}

export interface Engine {
  /** Throws SANDBOX_FAILED when the engine cannot be reached, is too slow, or answers with another failure than expected. */
  call(call: EngineCall): Promise<EngineAnswer>;
  /** The same, when the answer's shape matters. */
  ask<S extends z.ZodType>(schema: S, call: EngineCall): Promise<z.output<S>>;
  /** Undefined for a failure that was expected. */
  find<S extends z.ZodType>(schema: S, call: EngineCall): Promise<z.output<S> | undefined>;
  /** A connection both sides write to, once the engine has agreed. */
  hijack(call: EngineCall): Promise<Duplex>;
  /** What the engine calls its interface, such as "1.41". */
  version(): Promise<string>;
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
/** Read-only mounts that do not let other file systems below them through came with this one. */
const OLDEST = 40;
const NEWEST = 51;

export function createEngine(parts: EngineParts): Engine {
  let agreed: Promise<string> | undefined;
  const version = (): Promise<string> => {
    agreed ??= negotiate(parts).catch((error: unknown) => {
      agreed = undefined;
      throw error;
    });
    return agreed;
  };
  const urlOf = async ({ path, query = {} }: EngineCall): Promise<string> => {
    const search = new URLSearchParams(query).toString();
    return `/v${await version()}${path}${search ? `?${search}` : ""}`;
  };
  const call = async (wanted: EngineCall): Promise<EngineAnswer> => {
    const url = await urlOf(wanted);
    const { status, text } = await exchange(parts, url, wanted);
    const json = parseJson(text);
    const complaint = readComplaint(json, text);
    if (status < 400 || wanted.expects?.includes(status)) return { status, json, complaint };
    throw failure(parts, `it answered ${status} to ${wanted.method} ${wanted.path}: ${complaint}`);
  };
  const read = <S extends z.ZodType>(schema: S, json: unknown, { method, path }: EngineCall): z.output<S> => {
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw failure(parts, `its answer to ${method} ${path} has an unknown shape`, parsed.error);
  };
  return {
    call,
    version,
    ask: async (schema, wanted) => read(schema, (await call(wanted)).json, wanted),
    async find(schema, wanted) {
      const { status, json } = await call(wanted);
      return status < 400 ? read(schema, json, wanted) : undefined;
    },
    async hijack(wanted) {
      return await upgrade(parts, await urlOf(wanted), wanted);
    },
  };
}

async function negotiate(parts: EngineParts): Promise<string> {
  const { version } = await exchange(parts, "/_ping", { method: "GET", path: "/_ping" });
  const minor = Number(/^1\.(\d{1,3})$/.exec(version)?.[1]);
  if (!Number.isInteger(minor)) throw failure(parts, "what answers at its socket is no container engine");
  if (minor < OLDEST) throw failure(parts, `its interface ${version} is too old; 1.${OLDEST} or newer is needed`);
  return `1.${Math.min(minor, NEWEST)}`;
}

interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly version: string;
}

function exchange(parts: EngineParts, url: string, wanted: EngineCall): Promise<RawAnswer> {
  return withRequest(parts, url, wanted, {}, (request, resolve, reject) => {
    request.once("response", (incoming) => {
      const version = String(incoming.headers["api-version"] ?? "");
      const status = incoming.statusCode ?? 0;
      readText(incoming).then((text) => resolve({ status, text, version }), reject);
    });
  });
}

function upgrade(parts: EngineParts, url: string, wanted: EngineCall): Promise<Duplex> {
  const headers = { connection: "Upgrade", upgrade: "tcp" };
  return withRequest(parts, url, wanted, headers, (request, resolve, reject) => {
    request.once("upgrade", (_incoming, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.once("response", (incoming) => {
      const status = incoming.statusCode ?? 0;
      readText(incoming).then((text) => {
        reject(failure(parts, `it answered ${status} to ${wanted.path}: ${readComplaint(parseJson(text), text)}`));
        // Where it does not switch, nothing can be written to it.
        request.destroy();
      }, reject);
    });
  });
}

/** One request on a connection of its own; whatever happens to it ends the wait. */
async function withRequest<T>(
  parts: EngineParts,
  url: string,
  { method, body, timeoutMs = TIMEOUT_MS }: EngineCall,
  headers: Readonly<Record<string, string>>,
  listen: (request: ClientRequest, resolve: (value: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const socketPath = parts.socketPath();
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const length = content ? { "content-type": "application/json", "content-length": String(content.length) } : {};
  const request = process.getBuiltinModule("node:http").request({
    socketPath,
    method,
    path: url,
    agent: false,
    headers: { host: "engine", ...length, ...headers },
  });
  const cancel = parts.clock.after(timeoutMs, () => {
    reject(failure(parts, `it did not answer within ${Math.round(timeoutMs / 1000)} seconds`));
    request.destroy();
  });
  request.on("error", (error) => reject(unreachable(parts, socketPath, error)));
  const noAnswer = (): void => reject(failure(parts, "it closed the connection without an answer"));
  request.once("close", noAnswer);
  // From here on whoever reads the answer notices.
  request.once("response", () => request.off("close", noAnswer));
  listen(request, resolve, reject);
  request.end(content);
  try {
    return await promise;
  } catch (error) {
    request.destroy();
    throw GatewayError.is(error) ? error : failure(parts, "its answer broke off or is too long", error);
  } finally {
    cancel();
  }
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw new RangeError("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function readComplaint(json: unknown, text: string): string {
  const parsed = EngineComplaint().safeParse(json);
  const words = parsed.success ? parsed.data.message : text;
  return words.replace(/\s+/g, " ").trim().slice(0, 300) || "without a reason";
}

function unreachable(parts: EngineParts, socketPath: string, error: unknown): GatewayError {
  const code = errnoOf(error);
  const name = nameOf(parts.id);
  if (code === "ENOENT") return failed(`${name} is not running: there is no socket at ${socketPath}`, error);
  if (code === "ECONNREFUSED") return failed(`${name} is not running: nobody answers at ${socketPath}`, error);
  if (code === "EACCES" || code === "EPERM") {
    return failed(`the gateway's user may not use ${name} (no access to ${socketPath})`, error);
  }
  return failure(parts, `the connection to ${socketPath} broke (${code ?? "no reason given"})`, error);
}

function failure(parts: EngineParts, what: string, cause?: unknown): GatewayError {
  return failed(`${nameOf(parts.id)} failed: ${what}`, cause);
}

function failed(detail: string, cause: unknown): GatewayError {
  return new GatewayError("SANDBOX_FAILED", detail, { cause });
}

export function nameOf(id: EngineParts["id"]): string {
  return id === "docker" ? "Docker" : "Podman";
}
