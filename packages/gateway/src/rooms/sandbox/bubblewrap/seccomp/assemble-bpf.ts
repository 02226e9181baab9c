// Assembles classic BPF, the language in which Linux takes filters for system calls.

export type BpfLine =
  /** Marks the next line, for jumps. */
  | { readonly kind: "label"; readonly name: string }
  /** Loads the 32 bits at this offset of the call's description. */
  | { readonly kind: "load"; readonly offset: number }
  /** Goes to `yes` or `no`; where one is absent, on to the next line. Jumps only lead forward. */
  | {
      readonly kind: "jump";
      readonly test: "equal" | "above" | "atLeast" | "hasAnyBit";
      readonly value: number;
      readonly yes?: string;
      readonly no?: string;
    }
  | { readonly kind: "answer"; readonly value: number };

const LOAD = 0x20;
const ANSWER = 0x06;
const JUMPS = { equal: 0x15, above: 0x25, atLeast: 0x35, hasAnyBit: 0x45 } as const;
const LINE_BYTES = 8;
/** The distance of a jump is one byte. */
const FARTHEST = 255;

export function assembleBpf(lines: readonly BpfLine[]): Buffer {
  const places = placeLabels(lines);
  const steps = lines.filter((line) => line.kind !== "label");
  const program = Buffer.alloc(steps.length * LINE_BYTES);
  for (const [index, step] of steps.entries()) {
    const distance = (label: string | undefined): number => distanceTo(places, label, index);
    const isJump = step.kind === "jump";
    const code = step.kind === "load" ? LOAD : isJump ? JUMPS[step.test] : ANSWER;
    const start = index * LINE_BYTES;
    program.writeUInt16LE(code, start);
    program.writeUInt8(isJump ? distance(step.yes) : 0, start + 2);
    program.writeUInt8(isJump ? distance(step.no) : 0, start + 3);
    program.writeUInt32LE(step.kind === "load" ? step.offset : step.value, start + 4);
  }
  return program;
}

function placeLabels(lines: readonly BpfLine[]): Map<string, number> {
  const places = new Map<string, number>();
  let at = 0;
  for (const line of lines) {
    if (line.kind === "label") places.set(line.name, at);
    else at += 1;
  }
  return places;
}

/** A filter that jumps astray would be a hole: better none at all. */
function distanceTo(places: ReadonlyMap<string, number>, label: string | undefined, from: number): number {
  if (label === undefined) return 0;
  const place = places.get(label);
  const distance = place === undefined ? -1 : place - from - 1;
  if (distance < 0 || distance > FARTHEST) throw new RangeError(`No jump leads from line ${from} to "${label}".`);
  return distance;
}
