// Limits the size of a message: as much as the methods its sender may call can use, and no more.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { MAX_PAYLOAD_BYTES, type MethodSpec, type Client, holdsScope } from "@chela/sdk/protocol";

/** Enough for every question; only what brings texts and files along needs more. */
const QUESTION_BYTES = 256 * 1024;
/** What may have arrived together with the end of the message before; at most one read of the socket. */
const SLACK_BYTES = 64 * 1024;
/** The head of a ping or pong. */
const CONTROL_HEAD_BYTES = 6;

/** Who was not let in yet has not shown that they may bring anything. */
export function messageLimit(client: Pick<Client, "role" | "scopes"> | undefined): number {
  const brings = client !== undefined && (client.role === "node" || holdsScope(client.scopes, "operator.write"));
  return brings ? MAX_PAYLOAD_BYTES : QUESTION_BYTES;
}

/** Methods that change something may bring it along; the others only ask. */
export function methodLimit({ role, scope }: MethodSpec): number {
  const brings = role === "node" || scope === "operator.write" || scope === "operator.admin";
  return brings ? MAX_PAYLOAD_BYTES : QUESTION_BYTES;
}

/** Calls once when a message grows beyond the limit, while it still arrives. Bytes are counted on the socket itself. */
export function watchMessageSize(
  socket: Duplex,
  webSocket: WebSocket,
  limit: () => number,
  tooLarge: () => void,
): void {
  let size = 0;
  const control = (data: Buffer): void => void (size -= data.length + CONTROL_HEAD_BYTES);
  webSocket.on("message", () => (size = 0));
  webSocket.on("ping", control);
  webSocket.on("pong", control);
  const count = (bytes: Buffer): void => {
    size += bytes.length;
    if (size <= limit() + SLACK_BYTES) return;
    socket.off("data", count);
    tooLarge();
  };
  socket.on("data", count);
}
