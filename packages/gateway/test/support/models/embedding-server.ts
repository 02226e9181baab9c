// A loopback server that makes vectors in OpenAI's way: texts with the same words get near vectors, and it can be made to wait or fail.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface EmbeddingServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Every text it was ever sent, oldest first. */
  readonly texts: readonly string[];
  /** The keys it was shown. */
  readonly keys: ReadonlySet<string>;
  /** From now on everything is refused with this status; undefined: answered. */
  failWith(status: number | undefined): void;
  /** The next request waits; resolves when it is there, with what lets it go on. */
  holdNext(): Promise<() => void>;
}

const DIMENSIONS = 64;

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const texts: string[] = [];
  const keys = new Set<string>();
  let status: number | undefined;
  let holding: PromiseWithResolvers<() => void> | undefined;
  const server = createServer((request, response) => {
    keys.add((request.headers.authorization ?? "").replace(/^Bearer /, ""));
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", async () => {
      const { input } = JSON.parse(body) as { input: string[] };
      texts.push(...input);
      const held = holding;
      holding = undefined;
      if (held) await new Promise<void>((resolve) => held.resolve(resolve));
      response.writeHead(status ?? 200, { "content-type": "application/json" });
      const data = input.map((text, index) => ({ index, object: "embedding", embedding: vectorOf(text) }));
      response.end(JSON.stringify(status === undefined ? { object: "list", data } : { error: { message: "no" } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    texts,
    keys,
    failWith: (wished) => (status = wished),
    holdNext() {
      holding = Promise.withResolvers<() => void>();
      return holding.promise;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0.01);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let sum = 0;
    for (const char of word) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
    vector[sum % DIMENSIONS] = (vector[sum % DIMENSIONS] ?? 0) + 1;
  }
  return vector;
}
