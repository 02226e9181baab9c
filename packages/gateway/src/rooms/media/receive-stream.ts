// Writes a stream to a file while counting, hashing and watching the time: nothing of a hostile one is ever held whole.
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { GatewayError, type Clock } from "@chela/sdk";
import { startPatience, type Patience } from "../../base/http/safe-fetch-patience.ts";
import { HEAD_BYTES } from "./sniff.ts";

export interface StreamLimits {
  readonly maxBytes: number;
  /** Without a byte arriving. */
  readonly idleMs: number;
  /** For everything together, however steadily it drips. */
  readonly totalMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ReceivedStream {
  /** SHA-256 of the content, hexadecimal. */
  readonly id: string;
  readonly bytes: number;
  readonly head: Buffer;
}

/** The file is new, private and flushed. Rejects with MEDIA_REFUSED, MEDIA_FETCH, an AbortError, or an error of the disk. */
export async function receiveStream(
  stream: AsyncIterable<Uint8Array>,
  path: string,
  limits: StreamLimits,
  clock: Clock,
): Promise<ReceivedStream> {
  using patience = startPatience(clock, limits);
  await using file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  const head: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of pull(stream, patience)) {
    if (bytes < HEAD_BYTES) head.push(chunk.slice(0, HEAD_BYTES - bytes));
    bytes += chunk.length;
    if (bytes > limits.maxBytes) throw tooLarge(limits.maxBytes);
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  if (bytes === 0) throw new GatewayError("MEDIA_REFUSED", "it is empty");
  await file.sync();
  return { id: hash.digest("hex"), bytes, head: Buffer.concat(head) };
}

/** Like `for await`, but a source that stands still is left behind. */
async function* pull(stream: AsyncIterable<Uint8Array>, patience: Patience): AsyncGenerator<Uint8Array> {
  const source = stream[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await patience.race(source.next()).catch((error: unknown) => {
        throw sourceFailure(error);
      });
      isOver = next.done === true;
      if (next.done) return;
      if (next.value.length === 0) continue;
      patience.touch();
      yield next.value;
    }
  } finally {
    // Nobody waits for it: one that hangs would never come to its end.
    if (!isOver) void letGo(source);
  }
}

async function letGo(source: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    await source.return?.();
  } catch {
    // It was given up already; how it ends is of no interest.
  }
}

function sourceFailure(error: unknown): unknown {
  if (GatewayError.is(error)) {
    return error.code === "FETCH_TIMEOUT" ? new GatewayError("MEDIA_FETCH", error.detail, { cause: error }) : error;
  }
  if (error instanceof Error && error.name === "AbortError") return error;
  return new GatewayError("MEDIA_FETCH", "it broke off before its end", { cause: error });
}

function tooLarge(maxBytes: number): GatewayError {
  const megabytes = maxBytes / 1024 / 1024;
  const limit = megabytes >= 1 ? `${Math.round(megabytes * 10) / 10} MB` : `${Math.round(maxBytes / 1024)} KB`;
  return new GatewayError("MEDIA_REFUSED", `it is larger than the ${limit} that are allowed`);
}
