// A small internet on one loopback server: names lead to public addresses, and dialling one of those leads to the server.
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Clock } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { createSafeFetch, type SafeFetch } from "./safe-fetch.ts";
import type { Dial } from "./safe-fetch-connect.ts";
import type { ResolveHost } from "./safe-fetch-target.ts";

export interface SmallInternet extends AsyncDisposable {
  readonly fetch: SafeFetch;
  /** For other kinds of fetch: its resolver, and the way to its server. */
  readonly ways: { readonly resolve: ResolveHost; readonly dial: Dial };
  /** `address:port` of each connection that was opened. */
  readonly dialled: string[];
  /** Each name that was looked up. */
  readonly lookedUp: string[];
  /** Each request that arrived, as "METHOD host/path". */
  readonly arrived: string[];
}

export interface SmallInternetOptions {
  readonly clock?: Clock;
  /** Addresses of names; all others lead to one public address. A function is asked each time. */
  readonly names?: Readonly<Record<string, readonly string[] | (() => readonly string[])>>;
  /** Addresses nobody answers at. */
  readonly dead?: readonly string[];
}

const SOMEWHERE = "93.184.216.34";

export async function openSmallInternet(
  answer: RequestListener,
  options: SmallInternetOptions = {},
): Promise<SmallInternet> {
  const seen = { dialled: [] as string[], lookedUp: [] as string[], arrived: [] as string[] };
  const server = createServer((request, response) => {
    seen.arrived.push(`${request.method} ${request.headers.host}${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: serverPort } = server.address() as AddressInfo;
  const dial = (address: string, port: number): Socket => {
    seen.dialled.push(address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`);
    if (options.dead?.includes(address)) return connect({ host: "127.0.0.1", port: 1 });
    return connect({ host: "127.0.0.1", port: serverPort });
  };
  const resolve = async (host: string): Promise<readonly string[]> => {
    seen.lookedUp.push(host);
    const found = options.names?.[host] ?? [SOMEWHERE];
    return typeof found === "function" ? found() : found;
  };
  return {
    ...seen,
    ways: { resolve, dial },
    fetch: createSafeFetch({ clock: options.clock ?? createFakeClock(), resolve, dial }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}
