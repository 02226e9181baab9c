// Carries one HTTP request over a connection that the caller opened, to an address it has checked.
import type { Socket } from "node:net";
import { carry, withLength, writeInPieces, type Carried, type WireRequest } from "@chela/sdk/http";

export interface CheckedRequest extends Omit<WireRequest, "body"> {
  /** What comes in pieces can be sent once only. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

const PIECE_BYTES = 64 * 1024;

/** No agent is involved, so neither kept connections nor proxies of the environment are. Each piece that leaves is told. */
export function carryOver(socket: Socket, url: URL, request: CheckedRequest, moved: () => void): Promise<Carried> {
  const wire: WireRequest = { ...request, body: bodyOf(request.body, moved) };
  const outgoing = process.getBuiltinModule("node:http").request({
    createConnection: () => socket,
    setHost: false,
    method: wire.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...withLength(request), host: url.host, connection: "close" },
  });
  return carry(outgoing, wire);
}

/** A long one goes in pieces, so that an upload over a slow line is seen to move. Its length is in the headers of whoever knows it. */
function bodyOf(body: CheckedRequest["body"], moved: () => void): WireRequest["body"] {
  if (body === undefined || typeof body === "string") return body;
  if (!(body instanceof Uint8Array)) return writeInPieces(body, moved);
  return body.length > PIECE_BYTES ? writeInPieces(piecesOf(body), moved) : body;
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
