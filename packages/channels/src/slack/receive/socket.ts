// Slack's Socket Mode: Slack's own library holds the connection; acknowledged is what was stored.
import { channel as diagnosticsChannel } from "node:diagnostics_channel";
import { SocketModeClient } from "@slack/socket-mode";
import { GatewayError, type ChannelHost, type Disconnect } from "@chela/sdk";
import { clientOptions } from "../api.ts";
import { errorOf, failureOf } from "../failures.ts";
import type { Envelope, Inbound } from "./inbound.ts";

export interface Socket {
  readonly ended: Promise<Disconnect>;
  close(): Promise<void>;
}

interface SocketNeeds {
  readonly appToken: string;
  readonly apiRoot: string;
  readonly host: ChannelHost;
  readonly inbound: Inbound;
}

const KINDS: Readonly<Record<string, Envelope["kind"]>> = {
  events_api: "event",
  slash_commands: "command",
  interactive: "interaction",
};
const HELLO_MS = 20_000;
const CLOSE_MS = 1_000;

/** Slack wants a fresh connection every few hours; one that it asked for is opened here, any other end is told. */
export async function openSocket(needs: SocketNeeds): Promise<Socket> {
  const { host } = needs;
  const ended = Promise.withResolvers<Disconnect>();
  let isClosing = false;
  let current = await openLine(needs);

  const follow = async (line: Line): Promise<void> => {
    const end = await line.over;
    if (isClosing) return;
    host.report({ connected: false });
    if (end.kind === "ended") return ended.resolve(end.disconnect);
    try {
      current = await openLine(needs);
    } catch (error) {
      const why = GatewayError.is(error) ? error.detail : "Slack closed the connection";
      return ended.resolve({
        why,
        ...(GatewayError.is(error) && error.code === "CHANNEL_AUTH" ? { isFinal: true } : {}),
      });
    }
    if (isClosing) return current.close();
    host.report({ connected: true });
    void follow(current);
  };
  void follow(current);

  return {
    ended: ended.promise,
    async close() {
      isClosing = true;
      await current.close();
    },
  };
}

interface Line {
  readonly over: Promise<{ readonly kind: "refresh" } | { readonly kind: "ended"; readonly disconnect: Disconnect }>;
  close(): Promise<void>;
}

async function openLine({ appToken, apiRoot, host, inbound }: SocketNeeds): Promise<Line> {
  const { logger, ...options } = clientOptions(apiRoot);
  // The library's own reconnecting rejects promises nobody holds when the network is down.
  const client = new SocketModeClient({ appToken, logger, clientOptions: options, autoReconnectEnabled: false });
  const over = Promise.withResolvers<Awaited<Line["over"]>>();
  const unwatch = watchSigns(client, host);
  let reason: string | undefined;
  client.on("ws_message", (data: unknown) => void (reason ??= disconnectReason(data)));
  client.on("slack_event", (given: Given) => void takeAndAcknowledge(given, inbound, host));
  client.on("disconnected", () => {
    unwatch();
    over.resolve(endFor(reason));
  });
  const close = () => closeClient(client, host).finally(unwatch);
  try {
    await startInTime(client, host);
  } catch (error) {
    await close();
    options.fetch.close();
    throw error;
  }
  return {
    over: over.promise.finally(() => options.fetch.close()),
    close,
  };
}

interface Given {
  readonly type: string;
  readonly body: unknown;
  ack(response?: Record<string, unknown>): Promise<void>;
}

async function takeAndAcknowledge(given: Given, inbound: Inbound, host: ChannelHost): Promise<void> {
  host.alive();
  const kind = KINDS[given.type];
  try {
    const reply = kind ? await inbound.take({ kind, body: given.body }) : undefined;
    await given.ack(reply === undefined ? undefined : { text: reply });
  } catch (error) {
    // Without an acknowledgement Slack hands it over again.
    host.log.warn("slack: an event was not acknowledged", {
      error: GatewayError.is(error) ? error.code : String(error),
    });
  }
}

async function startInTime(client: SocketModeClient, host: ChannelHost): Promise<void> {
  const late = Promise.withResolvers<never>();
  const cancel = host.clock.after(HELLO_MS, () =>
    late.reject(new GatewayError("CHANNEL_OFFLINE", "Slack did not greet on the socket in time")),
  );
  try {
    await Promise.race([client.start(), late.promise]);
  } catch (error) {
    if (GatewayError.is(error)) throw error;
    if (error === undefined) throw new GatewayError("CHANNEL_OFFLINE", "Slack closed the socket before it greeted");
    throw errorOf(failureOf(error));
  } finally {
    cancel();
  }
}

/** The library waits half a minute for the other side to say goodbye; asked a second time it does not. */
async function closeClient(client: SocketModeClient, host: ChannelHost): Promise<void> {
  const cancel = host.clock.after(CLOSE_MS, () => void client.disconnect());
  await client.disconnect();
  cancel();
}

/** Pings and pongs are told for all sockets of the process; ours is known by its address, which is used once. */
function watchSigns(client: SocketModeClient, host: ChannelHost): () => void {
  let url: string | undefined;
  client.on("authenticated", (opened: { readonly url?: string }) => void (url = opened.url));
  const sign = (message: unknown): void => {
    const { websocket } = (message ?? {}) as { websocket?: { url?: string } };
    if (url !== undefined && websocket?.url === url) host.alive();
  };
  const channels = ["undici:websocket:ping", "undici:websocket:pong"].map((name) => diagnosticsChannel(name));
  for (const channel of channels) channel.subscribe(sign);
  return () => {
    for (const channel of channels) channel.unsubscribe(sign);
  };
}

function disconnectReason(data: unknown): string | undefined {
  const text = typeof data === "string" ? data : "";
  if (!text.includes('"disconnect"')) return undefined;
  try {
    const { type, reason } = JSON.parse(text) as { type?: unknown; reason?: unknown };
    return type === "disconnect" ? String(reason ?? "") : undefined;
  } catch {
    return undefined;
  }
}

function endFor(reason: string | undefined): Awaited<Line["over"]> {
  if (reason === undefined) return { kind: "ended", disconnect: { why: "the connection to Slack broke" } };
  if (reason !== "link_disabled") return { kind: "refresh" };
  return { kind: "ended", disconnect: { why: "Socket Mode was switched off for the Slack app", isFinal: true } };
}
