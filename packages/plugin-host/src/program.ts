// The program of one plugin: talks with the gateway over its fourth file, and ends when the gateway does.
import { createServer, connect, Socket } from "node:net";
import { openHost } from "./open-host.ts";
import { lineLink } from "./wire/line-link.ts";
import type { StartOrder, ToPlugin } from "./wire/orders.ts";
import type { FromPlugin } from "./wire/told.ts";

const LINK = 3;

const link = lineLink<FromPlugin, ToPlugin>(new Socket({ fd: LINK, readable: true, writable: true }));
link.onMessage((message) => {
  if (message.kind === "start" && message.order.forward) forward(message.order.forward);
});
openHost(link, () => process.exit(0));

// A promise that nobody waited for is a mistake of the plugin's, and no reason to lose what it holds.
process.on("unhandledRejection", (error) => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  link.send({
    kind: "log",
    level: "error",
    message: `a promise failed and nobody heard of it: ${message}`.slice(0, 4_000),
  });
});

/** Inside there is no network: requests go by this port to a socket of the gateway, who knows which hosts were granted. */
function forward({ port, socket }: NonNullable<StartOrder["forward"]>): void {
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path: socket, allowHalfOpen: true });
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.on("error", () => {});
  server.listen(port, "127.0.0.1");
  server.unref();
}
