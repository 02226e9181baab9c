// Speaks the oldest HTTP of MCP: one long stream from the server, which first names the address that messages are sent to.
import { parseJson } from "@chela/sdk/base";
import { readEvents, type StreamMarks } from "./event-stream.ts";
import { refusalOf, type HttpWireParts } from "./http-wire.ts";
import { readMessage, type RpcMessage } from "./messages.ts";
import { WireBroken, type Wire, type WireListener } from "./wire.ts";

/** Resolves when the server has said where messages go. */
export async function openSseWire({ url, exchange }: Omit<HttpWireParts, "clock">): Promise<Wire> {
  const over = new AbortController();
  let listener: WireListener | undefined;
  let version: string | undefined;
  const endpoint = Promise.withResolvers<string>();
  const response = await exchange({
    method: "GET",
    url,
    headers: { accept: "text/event-stream" },
    signal: over.signal,
  });
  if (!response.ok) throw await refusalOf(response);

  const read = async (): Promise<void> => {
    const marks: StreamMarks = {};
    for await (const { event, data } of readEvents(response.chunks(), marks)) {
      if (event === "endpoint") endpoint.resolve(data.trim());
      const message = event === "message" ? readMessage(parseJson(data)) : undefined;
      if (message) listener?.heard(message);
    }
    throw new WireBroken("it ended its stream");
  };
  void read().catch((error: unknown) => {
    const why = error instanceof WireBroken ? error : new WireBroken("its stream broke off", { cause: error });
    endpoint.reject(why);
    if (!over.signal.aborted) listener?.closed(why);
  });
  const target = new URL(await endpoint.promise, url);
  if (target.origin !== new URL(url).origin) {
    over.abort();
    throw new WireBroken("it names another host to send messages to, which is never done");
  }

  return {
    kind: "sse",
    listen: (given) => void (listener = given),
    agree: (agreed) => void (version = agreed),
    async send(message: RpcMessage) {
      const sent = await exchange({
        method: "POST",
        url: target.href,
        headers: {
          "content-type": "application/json",
          ...(version === undefined ? {} : { "mcp-protocol-version": version }),
        },
        body: JSON.stringify(message),
        signal: over.signal,
      });
      if (!sent.ok) throw await refusalOf(sent);
      sent.discard();
    },
    async close() {
      over.abort();
    },
  };
}
