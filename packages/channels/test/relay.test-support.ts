// Stands between us and a server, so that a test can cut the wire or hold up what the server says.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Both sides lose the connection at once. */
  cut(): void;
  /** What the server says from now on does not arrive. */
  mute(): void;
  /** Resolves when something we write has this in it. */
  wrote(pattern: RegExp): Promise<void>;
}

export async function startRelay(serverPort: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const watchers = new Set<() => void>();
  let written = "";
  let isMuted = false;
  const server = createServer((near) => {
    const far = connect(serverPort, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    near.on("data", (bytes) => {
      written += bytes.toString();
      far.write(bytes);
      for (const look of watchers) look();
    });
    far.on("data", (bytes) => void (isMuted || near.write(bytes)));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const cut = (): void => {
    isMuted = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mute: () => void (isMuted = true),
    wrote: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => void (pattern.test(written) && resolve());
        watchers.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
