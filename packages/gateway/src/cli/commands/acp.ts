// `chela acp`: serves an editor on stdin and stdout until stdin ends. Nothing but frames is written to stdout.
import type { CommandCall } from "@chela/sdk/command-line";
import type { Readable, Writable } from "node:stream";
import { VERSION } from "../../version.ts";
import { AcpAgent } from "../../rooms/acp/bridge/acp-agent.ts";

export interface AcpStreams {
  readonly input: Readable;
  readonly output: Writable;
}

export async function acp(call: CommandCall): Promise<number> {
  return serveAcp(call, { input: process.stdin, output: process.stdout });
}

/** Resolves when the input ends, or nobody reads the output any more. */
export async function serveAcp(call: CommandCall, { input, output }: AcpStreams): Promise<number> {
  const { flags } = call;
  const isVerbose = flags.has("verbose");
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const agent = new AcpAgent({
    output: {
      write: (line) => void output.write(line),
      get waiting() {
        return output.writableLength;
      },
      end,
    },
    connect: () => call.gateway.connect(),
    note: (text) => {
      if (isVerbose) call.terminal.note(text);
    },
    options: {
      sessionKey: flags.text("session"),
      sessionLabel: flags.text("session-label"),
      requireExisting: flags.has("require-existing"),
      resetSession: flags.has("reset-session"),
      prefixesCwd: !flags.has("no-prefix-cwd"),
      version: VERSION,
    },
  });
  input.on("data", (chunk: Buffer) => agent.take(chunk));
  for (const event of ["end", "close", "error"]) input.once(event, () => end());
  output.on("error", () => end());
  output.once("close", () => end());
  await over;
  await agent.close();
  return 0;
}
