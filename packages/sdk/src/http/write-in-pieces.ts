// Writes the body of an HTTP request as it comes.
import type { WriteBody } from "./transport.ts";

export function writeInPieces(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  moved: () => void = () => undefined,
): WriteBody {
  return (outgoing) => {
    const { pipeline, Readable } = process.getBuiltinModule("node:stream");
    // Whatever breaks destroys the request, which tells whoever waits for the answer.
    pipeline(Readable.from(pieces).on("data", moved), outgoing, () => undefined);
  };
}
