// Waits until a connection is open, and says when and why it ended.
import type { WASocket } from "baileys";

export interface OpenedSocket {
  /** Rejects with what ended the connection before it was open. */
  readonly opened: Promise<void>;
  /** Resolves with what ended the connection. */
  readonly closed: Promise<unknown>;
}

export function watchSocket(socket: WASocket): OpenedSocket {
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<unknown>();
  socket.ev.on("connection.update", ({ connection, lastDisconnect }) => {
    if (connection === "open") opened.resolve();
    if (connection !== "close") return;
    const reason: unknown = lastDisconnect?.error;
    opened.reject(reason);
    closed.resolve(reason);
  });
  // Whoever waits for it is told; nobody has to.
  opened.promise.catch(() => {});
  return { opened: opened.promise, closed: closed.promise };
}
