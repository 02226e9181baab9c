// Reads a body while counting: packed and unpacked bytes both have a limit, and so has how much the packing may hide.
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { GatewayError } from "@chela/sdk";
import type { Patience } from "./safe-fetch-patience.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  /** What happens to a body that is longer. */
  readonly whenTooLong: "fail" | "cut";
}

export interface Body {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** What we tell servers we can unpack. */
export const ENCODINGS = "gzip, deflate, br";

const MAX_RATIO = 100;
/** Small bodies may be packed as tightly as they like. */
const RATIO_COUNTS_FROM = 1024 * 1024;

export async function readBody(incoming: IncomingMessage, limits: BodyLimits, patience: Patience): Promise<Body> {
  const { maxBytes, whenTooLong } = limits;
  if (whenTooLong === "fail" && Number(incoming.headers["content-length"]) > maxBytes) throw tooLong(maxBytes);
  const stop = (): void => void incoming.destroy(patience.signal.reason as Error);
  patience.signal.addEventListener("abort", stop, { once: true });
  try {
    patience.signal.throwIfAborted();
    return await collect(incoming, limits, patience);
  } catch (error) {
    if (patience.signal.aborted) throw patience.signal.reason;
    if (GatewayError.is(error)) throw error;
    throw new GatewayError("FETCH_FAILED", "the answer broke off or cannot be unpacked", { cause: error });
  } finally {
    patience.signal.removeEventListener("abort", stop);
    incoming.destroy();
  }
}

async function collect(incoming: IncomingMessage, limits: BodyLimits, patience: Patience): Promise<Body> {
  let packed = 0;
  incoming.on("data", (chunk: Buffer) => {
    packed += chunk.length;
    patience.touch();
  });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpack(incoming)) {
    const room = limits.maxBytes - size;
    size += chunk.length;
    parts.push(chunk.subarray(0, room));
    if (size > RATIO_COUNTS_FROM && size > packed * MAX_RATIO) {
      throw new GatewayError("FETCH_TOO_LARGE", `it unpacks to more than ${MAX_RATIO} times its size`);
    }
    if (chunk.length <= room) continue;
    if (limits.whenTooLong === "fail") throw tooLong(limits.maxBytes);
    return { bytes: Buffer.concat(parts), isCut: true };
  }
  return { bytes: Buffer.concat(parts), isCut: false };
}

/** The bytes as they were before they were packed for the journey. */
export async function* unpack(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  const encoding = (incoming.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return yield* incoming as AsyncIterable<Buffer>;
  const unpacker = openUnpacker(encoding);
  // Hands errors on to the unpacker, which is the one that is read from.
  process.getBuiltinModule("node:stream").pipeline(incoming, unpacker, () => undefined);
  yield* unpacker as AsyncIterable<Buffer>;
}

function openUnpacker(encoding: string): Transform {
  const zlib = process.getBuiltinModule("node:zlib");
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      return zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    default:
      throw new GatewayError(
        "FETCH_FAILED",
        `the answer is packed in a way we cannot unpack (${encoding.slice(0, 40)})`,
      );
  }
}

function tooLong(maxBytes: number): GatewayError {
  return new GatewayError("FETCH_TOO_LARGE", `it is longer than ${Math.round(maxBytes / 1024)} KB`);
}
