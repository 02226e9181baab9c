// A gateway with a channel that a test speaks for: what people write there, what the model is shown, what comes back.
import type {
  AgentMessage,
  ChannelContent,
  ChannelEvent,
  ChannelHost,
  Clock,
  ModelRequest,
  Received,
} from "@chela/sdk";
import {
  createFakeChannel,
  type FakeChannel,
  type FakeChannelOptions,
  type SaidOptions,
  type ScriptedModel,
} from "@chela/sdk/testing";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "../in-process.ts";
import type { Json, WireClient } from "../wire-client.ts";

export interface ChannelStage extends AsyncDisposable {
  readonly fake: FakeChannel;
  readonly gateway: TestGateway;
  readonly model: ScriptedModel;
  readonly client: WireClient;
  /** Somebody writes and is answered; gives the text of the answer. */
  ask(text: string, said?: SaidOptions): Promise<string>;
  /** The last thing the model was told by people, with all that stood beside it. */
  lastTold(): string;
}

interface ChannelStageOptions {
  /** Of the channel's block; accounts go below `accounts`. */
  readonly settings?: Json;
  readonly config?: Json;
  readonly fake?: FakeChannelOptions;
  readonly channels?: TestGatewayOptions["channels"];
  readonly clock?: Clock;
  readonly stateDir?: string;
  readonly env?: Record<string, string>;
  /** Wraps what the gateway gets to see of the channel. */
  wrap?(fake: FakeChannel): FakeChannel["channel"];
}

/** Alice may write directly, and each message has an answer of its own; the rest is up to the test. */
export async function openChannelStage(options: ChannelStageOptions = {}): Promise<ChannelStage> {
  const { settings = {}, config = {}, clock, stateDir, env } = options;
  const fake = createFakeChannel(options.fake);
  const channel = options.wrap?.(fake) ?? fake.channel;
  const block = { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"], ...settings };
  const { channels: others, messages, ...rest } = config as { channels?: Json; messages?: Json };
  const gateway = await startTestGateway({
    channels: { [fake.channel.id]: channel, ...options.channels },
    config: {
      channels: { [fake.channel.id]: block, ...others },
      messages: { queue: { mode: "followup" }, ...messages },
      ...rest,
    },
    ...(clock ? { clock } : {}),
    ...(stateDir ? { stateDir } : {}),
    ...(env ? { env } : {}),
  });
  const accounts = Object.keys((settings["accounts"] as Json | undefined) ?? {});
  await Promise.all(["default", ...accounts].map((account) => fake.untilConnected(account)));
  const { model } = gateway;
  const client = await gateway.connect();
  return {
    fake,
    gateway,
    model,
    client,
    async ask(text, said) {
      const before = fake.sent.length;
      const received = await fake.say(text, said);
      if (received.kind !== "accepted") throw new Error(`not accepted: ${received.why}`);
      return (await fake.until(before + 1)).at(-1)?.text ?? "";
    },
    lastTold: () => toldBy(model.requests.at(-1)).at(-1) ?? "",
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/** What people said, as the model saw it. */
export function toldBy(request: ModelRequest | undefined): string[] {
  return (request?.messages ?? []).filter(({ role }) => role === "user").map(textOfMessage);
}

function textOfMessage({ content }: AgentMessage): string {
  if (typeof content === "string") return content;
  return content.map((block) => ("text" in block ? String(block.text) : "")).join("");
}

/** A stage whose test hands in events as it likes, also such as no channel should make. */
export async function openRawStage(
  options: ChannelStageOptions = {},
): Promise<ChannelStage & { receive(event: unknown): Promise<Received> }> {
  let host: ChannelHost | undefined;
  const stage = await openChannelStage({
    ...options,
    wrap: ({ channel }) => ({
      ...channel,
      start: (account, given) => {
        host = given;
        return channel.start(account, given);
      },
    }),
  });
  return { ...stage, receive: (event) => (host as ChannelHost).receive(event as ChannelEvent) };
}

/** One event of each kind, with these words in it. A kind that is new to the seam does not compile until it is here. */
export function contentsWith(words: string): {
  readonly [Kind in ChannelContent["kind"]]: Extract<ChannelContent, { kind: Kind }>;
} {
  return {
    message: { kind: "message", text: words, mentionsUs: true },
    command: { kind: "command", text: `/status ${words}` },
    button: { kind: "button", data: words, on: "out-1" },
    reaction: { kind: "reaction", emoji: words, isRemoved: false, on: "out-1", onOurs: true },
    edit: { kind: "edit", of: "in-1", text: words },
    notice: { kind: "notice", text: words },
  };
}
