// A link over a socket: a message is a line of JSON, and a line has a length nobody exceeds.
import type { Duplex } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Link } from "./link.ts";

/** A picture of a tool's result has room in it. */
const MOST_CHARS = 24 * 1024 * 1024;

/** `mostChars`: of one line that comes in. Who sends a longer one is not listened to any more. */
export function lineLink<Out, In>(socket: Duplex, mostChars: number = MOST_CHARS): Link<Out, In> {
  const decoder = new StringDecoder("utf8");
  const listeners: Array<(message: In) => void> = [];
  const endings: Array<(why: string) => void> = [];
  let parts: string[] = [];
  let length = 0;
  let ended: string | undefined;

  const end = (why: string): void => {
    if (ended !== undefined) return;
    ended = why;
    parts = [];
    socket.destroy();
    for (const ending of endings) ending(why);
  };
  const hear = (line: string): void => {
    let message: In;
    try {
      message = JSON.parse(line) as In;
    } catch {
      return end("it said something that is no JSON");
    }
    for (const listener of listeners) listener(message);
  };
  socket.on("data", (chunk: Buffer) => {
    let rest = decoder.write(chunk);
    for (let at = rest.indexOf("\n"); at >= 0 && ended === undefined; at = rest.indexOf("\n")) {
      const line = parts.length > 0 ? parts.join("") + rest.slice(0, at) : rest.slice(0, at);
      parts = [];
      length = 0;
      rest = rest.slice(at + 1);
      if (line.length > mostChars) return end(`it said more than ${mostChars} characters at once`);
      hear(line);
    }
    if (ended !== undefined || rest === "") return;
    parts.push(rest);
    length += rest.length;
    if (length > mostChars) end(`it said more than ${mostChars} characters at once`);
  });
  socket.on("error", (error) => end(error.message));
  socket.on("close", () => end("it is gone"));
  socket.on("end", () => end("it is gone"));
  return {
    send(message) {
      if (ended === undefined && socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    },
    onMessage: (listener) => void listeners.push(listener),
    onClose: (listener) => void (ended === undefined ? endings.push(listener) : listener(ended)),
    close: () => end("it was closed"),
  };
}
