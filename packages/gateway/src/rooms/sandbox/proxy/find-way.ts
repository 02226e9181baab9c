// Opens a connection for a sandboxed program: on the list, public, resolved once, and connected to that very address.
import { isIP, type Socket } from "node:net";
import { GatewayError, type Clock } from "@chela/sdk";
import { dialDirectly, type Dial } from "../../../base/http/safe-fetch-connect.ts";
import { findTarget, resolveBySystem, type ResolveHost, type Target } from "../../../base/http/safe-fetch-target.ts";
import { waitAtMost } from "@chela/sdk/base";
import { decideHost, readEntry } from "./allow-list.ts";
import { ALLOW_KEY, type Refusal } from "./refusals.ts";

export interface WayParts {
  readonly clock: Clock;
  /** Asked anew each time. */
  hosts(): readonly string[];
  /** The operating system's resolver unless given. */
  readonly resolve?: ResolveHost;
  /** For tests: leads a checked address to a server of theirs. */
  readonly dial?: Dial;
}

export type ProxyRoute =
  | { readonly kind: "open"; readonly socket: Socket }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly why?: string };

const RESOLVE_MS = 10_000;
const CONNECT_MS = 10_000;

/** Never rejects. The host is in the spelling URLs have. */
export async function findWay(
  wanted: { readonly protocol: "http:" | "https:"; readonly host: string; readonly port: number },
  parts: WayParts,
): Promise<ProxyRoute> {
  const { host, port } = wanted;
  const refusal = judge(host, port, parts.hosts());
  if (refusal) return { kind: "refused", refusal };
  try {
    const looking = findTarget(`${wanted.protocol}//${host}:${port}/`, parts.resolve ?? resolveBySystem, []);
    const target = await waitAtMost(RESOLVE_MS, looking, parts.clock);
    if (target === "late") return fail(504, `The name ${host} was not found in time.`);
    const socket = await connectToAny(target, parts);
    return socket ? { kind: "open", socket } : fail(502, `${host} cannot be reached on port ${port}.`);
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    if (error.code !== "FETCH_REFUSED") return fail(502, `The name ${host} cannot be found.`);
    // What exactly is behind the name concerns the operator, not the program.
    const says = `${host} may not be reached though ${ALLOW_KEY} names it, because it does not lead to the open internet.`;
    return { kind: "refused", refusal: { status: 403, says, host }, why: error.detail };
  }
}

function judge(host: string, port: number, written: readonly string[]): Refusal | undefined {
  if (isIP(host)) {
    const says = `${host} may not be reached: a sandbox reaches hosts by their names only, those in ${ALLOW_KEY}.`;
    return { status: 403, says, host };
  }
  const entries = written.flatMap((entry) => readEntry(entry) ?? []);
  const decision = decideHost(host, port, entries);
  if (decision.kind === "allowed") return undefined;
  const says = decision.isPort
    ? `Port ${port} of ${host} may not be reached; the owner can add "${host}:${port}" to ${ALLOW_KEY}.`
    : `${host} may not be reached from this sandbox; the owner can add it to ${ALLOW_KEY}.`;
  return { status: 403, says, host };
}

function fail(status: 502 | 504, says: string): ProxyRoute {
  return { kind: "refused", refusal: { status, says } };
}

/** No name is looked up here: these are the addresses that were checked. */
async function connectToAny({ addresses, port }: Target, parts: WayParts): Promise<Socket | undefined> {
  const dial = parts.dial ?? dialDirectly;
  for (const address of addresses) {
    const socket = dial(address, port);
    if (await isConnected(socket, parts.clock)) return socket;
    socket.destroy();
  }
  return undefined;
}

async function isConnected(socket: Socket, clock: Clock): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once("connect", () => resolve(true));
  // Stays for good: a connection may break when nobody waits for it.
  socket.on("error", () => resolve(false));
  socket.once("close", () => resolve(false));
  return (await waitAtMost(CONNECT_MS, promise, clock)) === true;
}
