// Speaks to a server over the pipes of its process: one message of JSON on each line.
import { parseJson } from "@chela/sdk/base";
import { readMessage } from "./messages.ts";
import { WireBroken, type Wire, type WireListener } from "./wire.ts";

/** The pipes of a process that runs, wherever it does. */
export interface Pipes {
  /** False when nobody reads any more. */
  write(text: string): boolean;
  onText(listener: (text: string) => void): void;
  /** Resolves with why it ended, in half a sentence. */
  readonly ended: Promise<string>;
  /** Asks it to end, and sees to it that it does. */
  end(): Promise<void>;
}

/** A longer line is no message of anybody who means well. */
const LONGEST_LINE = 64 * 1024 * 1024;

export function createStdioWire(pipes: Pipes, onOddLine: (line: string) => void): Wire {
  let listener: WireListener | undefined;
  let rest = "";
  let isClosed = false;

  const close = async (why: string): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    listener?.closed(new WireBroken(why));
    await pipes.end();
  };
  pipes.onText((text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST_LINE) return void close("it said a line that has no end");
    for (const line of lines) {
      if (line.trim() === "") continue;
      const message = readMessage(parseJson(line));
      // Many servers print a greeting, or a complaint, where only messages belong.
      if (message) listener?.heard(message);
      else onOddLine(line.slice(0, 500));
    }
  });
  void pipes.ended.then((why) => close(why));

  return {
    kind: "stdio",
    listen: (given) => void (listener = given),
    async send(message) {
      if (isClosed || !pipes.write(`${JSON.stringify(message)}\n`)) throw new WireBroken("its process has ended");
    },
    close: () => close("it was let go"),
  };
}
