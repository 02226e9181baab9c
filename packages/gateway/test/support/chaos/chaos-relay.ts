// The network between the gateway and a peer: a relay that can lose every connection, and refuse new ones for a while.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

interface Network extends AsyncDisposable {
  readonly port: number;
  /** Everybody loses the connection; whoever comes before `restore` loses it at once. */
  cut(): void;
  restore(): void;
}

export async function startNetwork(serverPort: number): Promise<Network> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(serverPort, "127.0.0.1");
    join(near, far, sockets);
    join(far, near, sockets);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    restore: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(from: Socket, to: Socket, sockets: Set<Socket>): void {
  sockets.add(from);
  from.setNoDelay(true);
  from.on("error", () => undefined);
  from.on("data", (bytes) => void to.write(bytes));
  from.once("close", () => {
    sockets.delete(from);
    to.destroy();
  });
}
