// Finds where the numbers of a tensor lie inside an ONNX file, which is a protobuf message.

export interface TensorPlace {
  /** Of its first byte in the file. */
  readonly offset: number;
  readonly rows: number;
  readonly columns: number;
}

/** One field of a message: a number, or the bytes from `start` to `end`. */
interface Field {
  readonly number: number;
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** The numbers of the fields we look at: graph of the model, tensors of the graph, and what a tensor says. */
const GRAPH = 7;
const TENSOR = 5;
const DIMENSION = 1;
const NAME = 8;
const BYTES = 9;

export function findTensor(file: Buffer, name: string): TensorPlace {
  for (const graph of fieldsOf(file, 0, file.length, GRAPH)) {
    for (const tensor of fieldsOf(file, graph.start, graph.end, TENSOR)) {
      const parts = [...fieldsOf(file, tensor.start, tensor.end)];
      const named = parts.find((part) => part.number === NAME);
      if (!named || file.toString("utf8", named.start, named.end) !== name) continue;
      const [rows, columns] = parts.filter((part) => part.number === DIMENSION).map(({ value }) => value);
      const bytes = parts.find((part) => part.number === BYTES);
      if (!rows || !columns || bytes?.end !== (bytes?.start ?? 0) + rows * columns) break;
      return { offset: bytes.start, rows, columns };
    }
  }
  throw new Error(`The model has no table of bytes named ${name}`);
}

function* fieldsOf(file: Buffer, start: number, end: number, wanted?: number): Iterable<Field> {
  let at = start;
  const readNumber = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = file.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < end) {
    const key = readNumber();
    const number = Math.floor(key / 8);
    const field: Field = { number, ...readValue(key % 8) };
    at = field.end;
    if (wanted === undefined || number === wanted) yield field;
  }

  function readValue(kind: number): Omit<Field, "number"> {
    if (kind === 0) return { value: readNumber(), start: at, end: at };
    const length = kind === 2 ? readNumber() : kind === 1 ? 8 : 4;
    return { value: 0, start: at, end: at + length };
  }
}
