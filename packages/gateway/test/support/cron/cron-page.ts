// A page that results of jobs are posted to: it takes them, takes them at the second attempt, or refuses them.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

export interface CronPage extends AsyncDisposable {
  readonly url: string;
  /** How often each was taken, by its key. */
  readonly taken: ReadonlyMap<string, number>;
  readonly refused: ReadonlyMap<string, number>;
  /** Once nobody is connected any more: from then on first attempts are first attempts again. */
  forgetAttempts(): Promise<void>;
}

export async function startPage(): Promise<CronPage> {
  const taken = new Map<string, number>();
  const refused = new Map<string, number>();
  const tried = new Set<string>();
  const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  const server = createServer((request, response) => {
    const key = String(request.headers["idempotency-key"]);
    request.resume().on("end", () => {
      if (request.url === "/refusing-page") {
        count(refused, key);
        response.writeHead(404).end();
      } else if (request.url === "/flaky-page" && !tried.has(key)) {
        tried.add(key);
        response.writeHead(503).end();
      } else {
        count(taken, key);
        response.end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    refused,
    async forgetAttempts() {
      while ((await countConnections(server)) > 0) await nextTurn();
      tried.clear();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
