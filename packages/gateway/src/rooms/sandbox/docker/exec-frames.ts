// Takes the engine's stream apart: output and error output come interleaved, each piece behind a head of eight bytes.

export type OutputKind = "out" | "err";

const HEAD_BYTES = 8;
/** By the head's first byte; 0 is input that was echoed, 3 what the engine itself has to say. */
const KINDS: readonly OutputKind[] = ["out", "out", "err", "err"];

/** Hands pieces on as they come, however they were cut. Throws a TypeError for a head that cannot be one. */
export function readFrames(onPiece: (kind: OutputKind, piece: Buffer) => void): (chunk: Buffer) => void {
  let head: Buffer = Buffer.alloc(0);
  let kind: OutputKind = "out";
  let left = 0;
  return (chunk) => {
    let rest = chunk;
    while (rest.length > 0) {
      if (left === 0) {
        const missing = HEAD_BYTES - head.length;
        head = Buffer.concat([head, rest.subarray(0, missing)]);
        rest = rest.subarray(missing);
        if (head.length < HEAD_BYTES) return;
        ({ kind, left } = readHead(head));
        head = Buffer.alloc(0);
        continue;
      }
      const piece = rest.subarray(0, left);
      left -= piece.length;
      rest = rest.subarray(piece.length);
      onPiece(kind, piece);
    }
  };
}

function readHead(head: Buffer): { kind: OutputKind; left: number } {
  const kind = KINDS[head[0] ?? KINDS.length];
  if (!kind || head[1] || head[2] || head[3]) throw new TypeError("the stream of a command is damaged");
  return { kind, left: head.readUInt32BE(4) };
}
