// Reads a stream of server-sent events: what each says, its name and its number, and how long to wait before coming back.

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** More than this in one event is no message. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export interface StreamMarks {
  /** The number of the last event, to go on from. */
  lastId?: string;
  retryMs?: number;
}

/** `marks` are kept up to date while events are read, also by events without data. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>, marks: StreamMarks): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  let fields = newFields();
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > MOST_CHARACTERS) throw new Error("an event of the server is too large");
    for (const line of lines) {
      if (line !== "") {
        readField(line, fields, marks);
        if (fields.size > MOST_CHARACTERS) throw new Error("an event of the server is too large");
        continue;
      }
      if (fields.data.length > 0) yield { event: fields.event, data: fields.data.join("\n"), id: marks.lastId };
      fields = newFields();
    }
  }
}

interface Fields {
  event: string;
  readonly data: string[];
  size: number;
}

const newFields = (): Fields => ({ event: "message", data: [], size: 0 });

function readField(line: string, fields: Fields, marks: StreamMarks): void {
  const colon = line.indexOf(":");
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  switch (name) {
    case "data":
      fields.data.push(value);
      fields.size += value.length;
      break;
    case "event":
      fields.event = value;
      break;
    case "id":
      if (!value.includes("\0")) marks.lastId = value;
      break;
    case "retry":
      if (/^\d+$/.test(value)) marks.retryMs = Number(value);
      break;
    default:
  }
}
