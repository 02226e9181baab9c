// Reads a request to the proxy: what it asks for, or why it is no request we take.
import type { IncomingMessage } from "node:http";
import { canonicalHost } from "./allow-list.ts";
import type { Refusal } from "./refusals.ts";

export interface WantedTunnel {
  readonly host: string;
  readonly port: number;
}

export interface WantedPage extends WantedTunnel {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** As it is sent on: names and values in turn. */
  readonly headers: readonly string[];
  readonly hasBody: boolean;
}

const AUTHORITY = /^(\[[0-9A-Fa-f:.]{2,45}\]|[^\s/@?#\\%:[\]]{1,253}):(\d{1,5})$/;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Meant for the next hop alone; what else is, `Connection` names. */
const HOP_BY_HOP = [
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Of `CONNECT host:port`. */
export function readTunnel(request: IncomingMessage): WantedTunnel | Refusal {
  const wanted = readAuthority(request.url ?? "");
  if (!wanted) return bad("CONNECT needs a host and a port, such as example.com:443.");
  return checkHost(request, wanted, undefined) ?? wanted;
}

/** Of `GET http://host/path`. */
export function readPage(request: IncomingMessage): WantedPage | Refusal {
  const { method = "", url: written = "", headers } = request;
  if (!METHODS.includes(method)) return { status: 405, says: `Requests of the kind ${method} are not passed on.` };
  const url = /^http:\/\//i.test(written) ? URL.parse(written) : null;
  const host = url && canonicalHost(url.hostname);
  if (!url || !host) return bad("This is a proxy: ask for a whole http:// address, or use CONNECT.");
  if (url.username || url.password) return bad("An address must not hold a user name or password.");
  const port = Number(url.port) || 80;
  const refusal = checkHost(request, { host, port }, 80);
  if (refusal) return refusal;
  const isChunked = headers["transfer-encoding"] !== undefined;
  const length = headers["content-length"];
  return {
    method,
    host,
    port,
    path: `${url.pathname}${url.search}`,
    headers: [...passedOn(request), "host", url.host, ...(isChunked ? ["transfer-encoding", "chunked"] : [])],
    hasBody: isChunked || (length !== undefined && length !== "0"),
  };
}

/** Headers without those of this hop. The host is ours to say: it is the one that was checked. */
export function passedOn({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const dropped = new Set([...HOP_BY_HOP, "host", ...named.filter((name) => name !== "content-length")]);
  return rawHeaders.filter((_, index) => !dropped.has((rawHeaders[index - (index % 2)] ?? "").toLowerCase()));
}

function readAuthority(written: string): WantedTunnel | undefined {
  const [, name = "", digits] = AUTHORITY.exec(written) ?? [];
  const host = canonicalHost(name);
  const port = Number(digits);
  return host !== undefined && port >= 1 && port <= 65535 ? { host, port } : undefined;
}

/** Two hosts in one request: somebody wants the one that is checked to differ from the one that is asked. */
function checkHost(request: IncomingMessage, wanted: WantedTunnel, usualPort: number | undefined): Refusal | undefined {
  const names = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  const { host } = request.headers;
  if (host === undefined && names.length === 0) return undefined;
  const port = usualPort ?? wanted.port;
  const said = readAuthority(host ?? "") ?? readAuthority(`${host}:${port}`);
  if (names.length === 1 && said?.host === wanted.host && said.port === wanted.port) return undefined;
  return bad(`The Host header does not name what is asked for (${wanted.host}).`);
}

function bad(says: string): Refusal {
  return { status: 400, says };
}
