// The way to allowed hosts: inside there is no network, only a proxy's socket and a small program that offers it on loopback.
import type { SandboxMount } from "@chela/sdk";
import { CHANNEL_INSIDE, quote } from "./warden-script.ts";

/** A filtering proxy that listens on a unix socket. */
export interface ProxyDoor {
  readonly socketPath: string;
  close(): Promise<void> | void;
}

const PORT = 3128;
const FOLDER = "/run/chela-proxy";
const SOCKET = `${FOLDER}/socket`;
const NODE = `${FOLDER}/node`;
export const FORWARDER_FILE = "forward.cjs";

/** It joins connections and knows nothing about them; who may be reached is decided outside. */
export const FORWARDER_TEXT = `
const net = require("node:net");
const server = net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect({ path: ${JSON.stringify(SOCKET)}, allowHalfOpen: true });
  near.on("error", () => far.destroy());
  far.on("error", () => near.destroy());
  near.pipe(far).pipe(near);
});
server.listen(${PORT}, "127.0.0.1", () => require("node:fs").writeSync(3, "forwarding\\n"));
`;

export const FORWARDER_COMMAND = `${quote(NODE)} ${quote(`${CHANNEL_INSIDE}/${FORWARDER_FILE}`)}`;

export function forwarderMounts(door: ProxyDoor, node: string): SandboxMount[] {
  return [
    { outside: door.socketPath, inside: SOCKET, isWritable: false },
    { outside: node, inside: NODE, isWritable: false },
  ];
}

/** Programs spell them differently. */
export function proxyEnvironment(): Record<string, string> {
  const url = `http://127.0.0.1:${PORT}`;
  const names = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  const direct = "localhost,127.0.0.1,::1";
  return {
    ...Object.fromEntries(names.map((name) => [name, url])),
    no_proxy: direct,
    NO_PROXY: direct,
    NODE_USE_ENV_PROXY: "1",
  };
}
