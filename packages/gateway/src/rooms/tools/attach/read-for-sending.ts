// Reads a file that is to be sent, from where the agent may read and nowhere else.
import { GatewayError, type ToolContext } from "@chela/sdk";
import { fileFailure } from "../files/file-failure.ts";
import type { FileSettings } from "../files/file-tools.ts";
import { locate } from "../files/locate.ts";
import { openFile, type OpenFile } from "../files/open-file.ts";
import { readingRules } from "../files/reading-rules.ts";

const CHUNK_BYTES = 256 * 1024;

export interface SendingLimits {
  readonly settings: FileSettings;
  readonly seen: Pick<ToolContext, "workspace" | "sandbox" | "closedNotes">;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** `keep` gets the content while the file is open, and its name. */
export async function readForSending<T>(
  path: string,
  { settings, seen, maxBytes, signal }: SendingLimits,
  keep: (content: AsyncIterable<Uint8Array>, name: string) => Promise<T>,
): Promise<T> {
  using place = locate(path, readingRules(path, settings, seen));
  await using file = await openFile(place);
  if (file.size > maxBytes) throw tooLarge(path, maxBytes);
  return await keep(contentOf(file, path, signal), place.name);
}

async function* contentOf({ handle }: OpenFile, path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    signal.throwIfAborted();
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null).catch((error: unknown) => {
      throw fileFailure(error, "TOOL_FILE", `"${path}" cannot be read`);
    });
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

function tooLarge(path: string, maxBytes: number): GatewayError {
  const limit = Math.round((maxBytes / 1024 / 1024) * 10) / 10;
  return new GatewayError(
    "TOOL_FILE",
    `"${path}" is larger than the ${limit} MB that can be sent. Send a smaller file.`,
  );
}
