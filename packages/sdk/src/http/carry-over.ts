// Carries one HTTP request over a connection that the caller opened, to an address it has checked.
import type { Socket } from "node:net";
import { carry, withLength, type Carried, type Waiting, type WireRequest } from "./transport.ts";

const PIECE_BYTES = 64 * 1024;

/** No agent is involved, so neither kept connections nor proxies of the environment are. */
export function carryOver(socket: Socket, url: URL, request: WireRequest & Waiting): Promise<Carried> {
  const outgoing = process.getBuiltinModule("node:http").request({
    createConnection: () => socket,
    setHost: false,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...withLength(request, request.body), host: url.host, connection: "close" },
  });
  return carry(outgoing, inPieces(request.body), request);
}

/** So that a long upload over a slow line is seen to move. */
function inPieces(body: WireRequest["body"]): WireRequest["body"] {
  return body instanceof Uint8Array && body.length > PIECE_BYTES ? piecesOf(body) : body;
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
