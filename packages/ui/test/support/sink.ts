// A server of strangers that hopes somebody comes: it notes every connection and every packet, and answers nothing.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

export interface Sink extends AsyncDisposable {
  /** `127.0.0.1:1234`, for connections and packets. */
  readonly host: string;
  readonly visits: readonly string[];
}

export async function openSink(): Promise<Sink> {
  const visits: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    visits.push("a connection");
    socket
      .on("error", () => undefined)
      .on("data", (data) => {
        visits.push(`said ${data.toString().split("\r\n", 1)[0]}`);
        socket.destroy();
      });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const packets = createSocket("udp4", () => void visits.push("a packet")).bind(port, "127.0.0.1");
  await once(packets, "listening");
  return {
    host: `127.0.0.1:${port}`,
    visits,
    async [Symbol.asyncDispose]() {
      packets.close();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
