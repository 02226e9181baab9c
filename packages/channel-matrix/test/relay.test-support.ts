// A way to a server that can be cut, as networks are.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Relay {
  readonly url: string;
  /** Breaks every connection there is; new ones are let through. */
  cut(): void;
  close(): Promise<void>;
}

export async function openRelay(target: string): Promise<Relay> {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    keep(incoming);
    keep(outgoing);
    incoming.pipe(outgoing).pipe(incoming);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
