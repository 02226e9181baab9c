// A gateway with every channel it knows, each with its own rules and readers, and no platform behind any of them: events
// are handed in as a channel would.
import type { Channel, ChannelEvent, ChannelHost, OutboundMessage, Received } from "@chela/sdk";
import type { ScriptedModel } from "@chela/sdk/testing";
import { CHANNELS } from "../../../src/rooms/channels/index.ts";
import { castOf, CHANNEL_IDS, type World } from "../models/chat-cast.ts";
import { eventually, startTestGateway, type TestGateway, type TestGatewayOptions } from "../in-process.ts";
import type { Json, WireClient } from "../wire-client.ts";

interface Sent {
  readonly channel: string;
  readonly account: string;
  readonly message: OutboundMessage;
  readonly text: string;
}

export interface EveryChannelStage extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly model: ScriptedModel;
  readonly client: WireClient;
  /** What any channel was asked to send. */
  readonly sent: readonly Sent[];
  /** What any channel was asked to show: typing, reactions, edits. */
  readonly shown: readonly string[];
  receive(channel: string, account: string, event: unknown): Promise<Received>;
}

interface Options {
  /** An account for each world, by its name. */
  readonly worlds: readonly World[];
  readonly config?: Json;
  readonly stateDir?: string;
  readonly clock?: TestGatewayOptions["clock"];
  /** Of a file that came with a message. */
  readonly file?: Uint8Array;
}

export const ourIdOn = (channel: string): string => `we-on-${channel}`;

export async function openEveryChannel(options: Options): Promise<EveryChannelStage> {
  const { worlds, config = {}, stateDir, clock } = options;
  const hosts = new Map<string, ChannelHost>();
  const sent: Sent[] = [];
  const shown: string[] = [];
  const channels = Object.fromEntries(
    await Promise.all(
      CHANNELS.map(async ({ id, load }) => [id, withoutPlatform(await load(), hosts, sent, shown, options)] as const),
    ),
  );
  const { channels: more, ...rest } = config as { channels?: Json };
  const gateway = await startTestGateway({
    channels,
    config: {
      channels: { ...Object.fromEntries(CHANNEL_IDS.map((id) => [id, blockOf(id, worlds)])), ...more },
      messages: { queue: { mode: "followup" } },
      ...rest,
    },
    ...(stateDir ? { stateDir } : {}),
    ...(clock ? { clock } : {}),
  });
  const wanted = CHANNEL_IDS.length * worlds.length;
  await eventually("all accounts are connected", () => hosts.size === wanted || undefined);
  return {
    gateway,
    model: gateway.model,
    client: await gateway.connect(),
    sent,
    shown,
    receive(channel, account, event) {
      const host = hosts.get(`${channel} ${account}`);
      if (!host) throw new Error(`${channel} has no account ${account}`);
      return host.receive(event as ChannelEvent);
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

function blockOf(channel: string, worlds: readonly World[]): Json {
  const cast = castOf(channel);
  return { accounts: Object.fromEntries(worlds.map((world) => [world.name, cast.settings(world, cast)])) };
}

/** The channel as it is, but its connection leads nowhere. */
function withoutPlatform(
  channel: Channel,
  hosts: Map<string, ChannelHost>,
  sent: Sent[],
  shown: string[],
  { file }: Options,
): Channel {
  const { login: _login, ...kept } = channel;
  return {
    ...kept,
    configure: () => ({ kind: "configured", account: {} }),
    async start(_account, host) {
      const { account } = host;
      hosts.set(`${channel.id} ${account}`, host);
      host.report({ self: { id: ourIdOn(channel.id) }, connected: true });
      const show = async (...words: readonly unknown[]): Promise<void> => void shown.push(words.join(" "));
      return {
        ended: new Promise(() => {}),
        close: async () => {},
        async send(message) {
          const { content } = message;
          const text = content.kind === "text" ? content.markdown : JSON.stringify(content);
          sent.push({ channel: channel.id, account, message, text });
          return { kind: "sent", messageId: `out-${sent.length}` };
        },
        react: async (_target, messageId, emoji) => show("react", messageId, emoji),
        typing: async ({ to }) => show("typing", to),
        ...(file
          ? {
              async download() {
                return (async function* () {
                  yield file;
                })();
              },
            }
          : {}),
      };
    },
  };
}
