// Writes AWS's binary event stream from readable lines, so that fixtures can be read by people.
import { crc32 } from "node:zlib";

interface FrameLine {
  readonly event?: string;
  readonly exception?: string;
  readonly body: unknown;
}

export function encodeAwsFrames(lines: string): Buffer {
  const frames = lines.split("\n").filter((line) => line !== "");
  return Buffer.concat(frames.map((line) => encodeFrame(JSON.parse(line) as FrameLine)));
}

function encodeFrame({ event, exception, body }: FrameLine): Buffer {
  const headers = Buffer.concat([
    ...(exception ? [encodeHeader(":exception-type", exception)] : [encodeHeader(":event-type", event ?? "")]),
    encodeHeader(":content-type", "application/json"),
    encodeHeader(":message-type", exception ? "exception" : "event"),
  ]);
  const payload = Buffer.from(JSON.stringify(body));
  const frame = Buffer.alloc(12 + headers.length + payload.length + 4);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(headers.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  headers.copy(frame, 12);
  payload.copy(frame, 12 + headers.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, frame.length - 4)), frame.length - 4);
  return frame;
}

function encodeHeader(name: string, value: string): Buffer {
  const head = Buffer.alloc(name.length + 4);
  head.writeUInt8(name.length, 0);
  head.write(name, 1);
  head.writeUInt8(7, name.length + 1);
  head.writeUInt16BE(value.length, name.length + 2);
  return Buffer.concat([head, Buffer.from(value)]);
}
