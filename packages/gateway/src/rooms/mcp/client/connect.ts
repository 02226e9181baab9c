// Connects to a server: finds out which era it is of, unless that is known, and how it wants to be spoken to.
import type { Clock } from "@chela/sdk";
import { isObject } from "@chela/sdk/base";
import { RPC, RpcError, type RpcParams } from "../wire/messages.ts";
import { WireBroken, type Wire } from "../wire/wire.ts";
import { answerInward, askModern, clientCapabilities, McpClient, type Inward, type Welcome } from "./client.ts";
import { Peer, PeerTimeout } from "./peer.ts";
import {
  DiscoverResult,
  InitializeResult,
  LEGACY_VERSION,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSION,
  ServerInfo,
  type Era,
} from "./protocol.ts";

export interface ConnectParts {
  readonly clock: Clock;
  readonly inward: Inward;
  /** Another wire for each attempt; the older form of HTTP only where that is asked for. */
  open(kind: "usual" | "sse"): Promise<Wire>;
  /** What it was the last time. */
  readonly era?: Era | undefined;
  readonly transport: "stdio" | "http" | "sse" | "http-or-sse";
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A server of the older era may say nothing at all to a request it does not know. */
const PROBE_MS = 4_000;

export async function connect(parts: ConnectParts): Promise<McpClient> {
  if (parts.transport === "sse") return initialize(parts, await parts.open("sse"));
  const wire = await parts.open("usual");
  if (parts.era === "legacy") return orOlder(parts, wire, initialize(parts, wire));
  try {
    return await discover(parts, wire);
  } catch (error) {
    if (!isOlder(error) || (error instanceof PeerTimeout && wire.kind === "http")) {
      await wire.close();
      throw error;
    }
    // A process that was asked a question it did not know may have ended of it.
    const isUsable = wire.kind === "http" || !(error instanceof WireBroken);
    const next = isUsable ? wire : await parts.open("usual");
    return orOlder(parts, next, initialize(parts, next));
  }
}

/** The first form of HTTP answers a POST to its address with a number of HTTP's own. */
async function orOlder(parts: ConnectParts, wire: Wire, trying: Promise<McpClient>): Promise<McpClient> {
  try {
    return await trying;
  } catch (error) {
    await wire.close();
    const isOther = error instanceof WireBroken && [400, 404, 405].includes(error.status ?? 0);
    if (parts.transport !== "http-or-sse" || !isOther) throw error;
    return initialize(parts, await parts.open("sse"));
  }
}

async function discover(parts: ConnectParts, wire: Wire): Promise<McpClient> {
  const { inward, signal, timeoutMs } = parts;
  const peer = peerOver(wire, parts);
  const isKnown = parts.era === "modern";
  const patience = isKnown || wire.kind === "http" ? timeoutMs : Math.min(PROBE_MS, timeoutMs);
  const ask = () => askModern(peer, inward, "server/discover", {}, { signal, timeoutMs: patience });
  // One that does not know the revision of a request says which it knows; if ours is one of them, it meant another time.
  const result = DiscoverResult().parse(
    await ask().catch((error: unknown) => (speaksOurs(error) ? ask() : Promise.reject(error))),
  );
  if (!result.supportedVersions.includes(MODERN_VERSION)) throw new NotModern();
  const serverInfo = ServerInfo().safeParse(result._meta?.[META.serverInfo]).data ?? { name: "unnamed", version: "" };
  const { capabilities, instructions } = result;
  return new McpClient(peer, wire, inward, {
    era: "modern",
    version: MODERN_VERSION,
    serverInfo,
    capabilities,
    ...(instructions === undefined ? {} : { instructions }),
  });
}

class NotModern extends Error {}

function speaksOurs(error: unknown): boolean {
  const { code, data } = refusalIn(error);
  return code === RPC.unsupportedVersion && supportedIn(data).includes(MODERN_VERSION);
}

/** The same error comes as an answer or, over HTTP, as the body of a refusal. */
function refusalIn(error: unknown): { readonly code?: unknown; readonly data?: unknown } {
  if (error instanceof RpcError) return error;
  const body = error instanceof WireBroken ? error.body : undefined;
  return isObject(body) && isObject(body["error"]) ? body["error"] : {};
}

/** Whether what came instead of an answer means that it is of the older era, or says nothing about that. */
function isOlder(error: unknown): boolean {
  if (error instanceof NotModern || error instanceof PeerTimeout) return true;
  const { code, data } = refusalIn(error);
  const isRefusedByModern =
    isModernRefusal(code) && !supportedIn(data).some((version) => LEGACY_VERSIONS.includes(version));
  if (error instanceof RpcError) return !isRefusedByModern;
  if (!(error instanceof WireBroken)) return error instanceof Error && error.name === "ZodError";
  const { status } = error;
  if (status === undefined) return true;
  if (status < 400 || status >= 500 || status === 401 || status === 403) return false;
  return !isRefusedByModern;
}

function isModernRefusal(code: unknown): boolean {
  return [RPC.headerMismatch, RPC.missingCapability, RPC.unsupportedVersion].some((known) => known === code);
}

function supportedIn(data: unknown): readonly string[] {
  const supported = isObject(data) ? data["supported"] : undefined;
  return Array.isArray(supported) ? supported.map(String) : [];
}

async function initialize(parts: ConnectParts, wire: Wire): Promise<McpClient> {
  const { inward, signal, timeoutMs } = parts;
  const peer = peerOver(wire, parts);
  const asked: RpcParams = {
    protocolVersion: LEGACY_VERSION,
    capabilities: clientCapabilities(inward),
    clientInfo: inward.clientInfo,
  };
  const result = await peer.ask("initialize", asked, { signal, timeoutMs });
  const { protocolVersion, capabilities, serverInfo, instructions } = InitializeResult().parse(result);
  if (!LEGACY_VERSIONS.includes(protocolVersion)) {
    await peer.close();
    throw new WireBroken(`it speaks revision ${protocolVersion.slice(0, 40)}, which is not known here`);
  }
  wire.agree?.(protocolVersion);
  await peer.tell("notifications/initialized", {});
  const welcome: Welcome = {
    era: "legacy",
    version: protocolVersion,
    serverInfo,
    capabilities,
    ...(instructions === undefined ? {} : { instructions }),
  };
  return new McpClient(peer, wire, inward, welcome);
}

const CHANGES: Readonly<Record<string, "tools" | "resources" | "prompts">> = {
  "notifications/tools/list_changed": "tools",
  "notifications/resources/list_changed": "resources",
  "notifications/prompts/list_changed": "prompts",
};

function peerOver(wire: Wire, { clock, inward }: Pick<ConnectParts, "clock" | "inward">): Peer {
  return new Peer({
    wire,
    clock,
    answer: (method, params, signal) => answerInward(inward, method, params, signal),
    notified(method) {
      const what = CHANGES[method];
      if (what) inward.changed(what);
    },
    closed: (why) => inward.closed(why),
  });
}
