// Turns an address somebody wrote into one that may be called: the URL, and the network addresses that were checked for it.
import { isIP } from "node:net";
import { GatewayError } from "@chela/sdk";
import { isInRange, whyNotPublic } from "./safe-fetch-address.ts";

export interface Target {
  readonly url: URL;
  /** The name or literal address, without brackets and final dot. */
  readonly host: string;
  readonly port: number;
  /** Each of them was checked; the connection goes to one of these and to no other. */
  readonly addresses: readonly string[];
}

/** All addresses of a name. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** The operating system's resolver. */
export const resolveBySystem: ResolveHost = async (host) => {
  const found = await process.getBuiltinModule("node:dns").promises.lookup(host, { all: true });
  return found.map(({ address }) => address);
};

const MAX_URL_LENGTH = 8192;
const FIRST_FREE_PORT = 1024;
const WEB_PORTS = [80, 443];
/** Names that never lead to the open internet, whatever a resolver says. */
const INNER_NAMES = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** Throws FETCH_REFUSED when the address may not be called, FETCH_FAILED when its name cannot be found. */
export async function findTarget(
  written: string | URL,
  resolve: ResolveHost,
  allowPrivate: readonly string[],
  own: () => readonly string[] = addressesOfThisMachine,
): Promise<Target> {
  const url = parseUrl(written);
  const host = bareHost(url.hostname);
  const isTrusted = allowPrivate.some((entry) => bareHost(entry.toLowerCase()) === host);
  if (!isTrusted && INNER_NAMES.test(host)) throw refuse(`${host} is a name of this machine or an inner network`);
  const addresses = isIP(host) ? [host] : await resolveOnce(host, resolve);
  for (const address of addresses) {
    const why = whyNotPublic(address) ?? (isOwn(address, own()) ? "an address of this machine itself" : undefined);
    if (!why || isTrusted || allowPrivate.some((range) => isInRange(address, range))) continue;
    throw refuse(host === address ? `${host} is ${why}` : `${host} leads to ${address}, which is ${why}`);
  }
  return {
    url,
    host,
    port: Number(url.port) || (url.protocol === "https:" ? 443 : 80),
    addresses: byFamily(addresses),
  };
}

/** A public address of ours leads to what listens here as well, past everything that keeps others off. */
function isOwn(address: string, own: readonly string[]): boolean {
  return own.some((one) => isInRange(address, one));
}

function addressesOfThisMachine(): string[] {
  const all = Object.values(process.getBuiltinModule("node:os").networkInterfaces());
  return all.flatMap((some) => (some ?? []).map(({ address }) => address));
}

function parseUrl(written: string | URL): URL {
  const text = String(written);
  if (text.length > MAX_URL_LENGTH) throw refuse(`the address is longer than ${MAX_URL_LENGTH} characters`);
  const url = URL.parse(text.trim());
  if (!url) throw refuse(`"${text.slice(0, 100)}" is not a whole web address; write it like https://example.com/page`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refuse(`${url.protocol} addresses cannot be fetched; only http: and https: can`);
  }
  if (url.username || url.password) throw refuse("an address must not hold a user name or password");
  const port = Number(url.port);
  if (url.port && !WEB_PORTS.includes(port) && port < FIRST_FREE_PORT) {
    throw refuse(`port ${port} is not allowed; 80, 443 and those from ${FIRST_FREE_PORT} on are`);
  }
  url.hash = "";
  return withoutFinalDot(url);
}

/** `example.com.` is example.com; left as it is, it would slip past comparisons of names. */
function withoutFinalDot(url: URL): URL {
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  if (url.hostname === "" || url.hostname.split(".").includes("")) throw refuse(`"${url.hostname}" is not a host name`);
  return url;
}

function bareHost(host: string): string {
  return host.replace(/^\[|\]$|\.$/g, "");
}

async function resolveOnce(host: string, resolve: ResolveHost): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(host);
  } catch (error) {
    throw new GatewayError("FETCH_FAILED", `the name ${host} cannot be found`, { cause: error });
  }
  if (addresses.length === 0) throw new GatewayError("FETCH_FAILED", `the name ${host} has no address`);
  return addresses;
}

/** IPv4 first: where IPv6 is announced but does not work, nobody should have to wait for it. */
function byFamily(addresses: readonly string[]): readonly string[] {
  return addresses.toSorted((a, b) => isIP(a) - isIP(b));
}

function refuse(why: string): GatewayError {
  return new GatewayError("FETCH_REFUSED", why);
}
