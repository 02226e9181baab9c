// Request body of a channel, as bytes with a known length where there is one: some platforms take no other.
import { randomUUID } from "node:crypto";
import type { CheckedRequest } from "./carry-over.ts";

interface GuardedBody {
  readonly body: CheckedRequest["body"];
  /** Undefined when nobody knows before the end. */
  readonly length?: number;
  /** Unless the caller says otherwise. */
  readonly type?: string;
}

type RequestBody = NonNullable<RequestInit["body"]>;

export function readGivenBody(given: RequestBody | null | undefined): GuardedBody {
  if (given === null || given === undefined) return { body: undefined };
  if (typeof given === "string") return whole(Buffer.from(given), "text/plain;charset=UTF-8");
  if (given instanceof URLSearchParams)
    return whole(Buffer.from(String(given)), "application/x-www-form-urlencoded;charset=UTF-8");
  if (given instanceof FormData) return multipart(given);
  if (given instanceof Blob)
    return {
      body: given.stream(),
      length: given.size,
      ...(given.type ? { type: given.type } : {}),
    };
  if (given instanceof ArrayBuffer) return whole(new Uint8Array(given));
  if (ArrayBuffer.isView(given)) return whole(new Uint8Array(given.buffer, given.byteOffset, given.byteLength));
  return { body: given as AsyncIterable<Uint8Array> };
}

function whole(bytes: Uint8Array, type?: string): GuardedBody {
  return { body: bytes, length: bytes.length, ...(type ? { type } : {}) };
}

/** Written here, so that its length is known without reading the files in it. */
function multipart(form: FormData): GuardedBody {
  const boundary = `chela-${randomUUID()}`;
  const parts = [...form].map(([name, value]) => {
    const file = typeof value === "string" ? undefined : value;
    const about = file
      ? `; filename="${quoted(file.name)}"\r\nContent-Type: ${file.type || "application/octet-stream"}`
      : "";
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${about}\r\n\r\n`;
    const content = file ?? new Blob([(value as string).replace(/\r?\n|\r/g, "\r\n")]);
    return { head: Buffer.from(head), content };
  });
  const end = Buffer.from(`--${boundary}--\r\n`);
  const length = parts.reduce((sum, { head, content }) => sum + head.length + content.size + 2, end.length);
  async function* write(): AsyncGenerator<Uint8Array> {
    for (const { head, content } of parts) {
      yield head;
      yield* content.stream();
      yield Buffer.from("\r\n");
    }
    yield end;
  }
  return { body: write(), length, type: `multipart/form-data; boundary=${boundary}` };
}

function quoted(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
