// Reads a stream of server-sent events line by line: their data, and every sign of life in between.

/** An event that is larger is skipped; attachments are never in one. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** The data of each event. `sign` is called whenever anything arrives, comments included. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>, sign: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    sign();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    // The line is too long already: its beginning is let go, its size is remembered.
    if (rest.length > MOST_CHARACTERS) {
      size = Number.POSITIVE_INFINITY;
      rest = "";
    }
    for (const line of lines.map((text) => text.replace(/\r$/, ""))) {
      if (line.startsWith("data:")) {
        size += line.length;
        if (size <= MOST_CHARACTERS) data.push(line.slice("data:".length).trimStart());
      }
      if (line !== "") continue;
      if (data.length > 0 && size <= MOST_CHARACTERS) yield data.join("\n");
      data = [];
      size = 0;
    }
  }
}
