// A Slack workspace with people, channels and files: emulate's Web API. Events are signed and handed in by the test.
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator } from "emulate";
import type {
  ChannelConnection,
  Clock,
  OutboundContent,
  OutboundMessage,
  SendOutcome,
  Target,
  WebhookAnswer,
} from "@chela/sdk";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { slackChannel } from "../src/slack/channel.ts";

export interface Workspace extends AsyncDisposable {
  readonly host: FakeHost;
  readonly connection: ChannelConnection;
  readonly directory: string;
  /** Ids by name. */
  readonly users: Readonly<Record<string, string>>;
  readonly channels: Readonly<Record<string, string>>;
  /** Calls the Web API with a person's token, or the bot's. */
  call(
    who: "alice" | "mallory" | "bot",
    method: string,
    args: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  send(target: Target, content: OutboundContent | string, more?: Partial<OutboundMessage>): Promise<SendOutcome>;
  /** Hands a signed event in. */
  hand(event: Record<string, unknown>): Promise<WebhookAnswer>;
  handForm(fields: Record<string, string>): Promise<WebhookAnswer>;
}

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const TOKENS = { alice: "xoxp-alice", mallory: "xoxp-mallory", bot: "xoxb-bot" };

export async function openWorkspace(settings: Record<string, unknown> = {}, clock?: Clock): Promise<Workspace> {
  const directory = mkdtempSync(join(tmpdir(), "chela-slack-"));
  const emulator = await createEmulator({
    service: "slack",
    port: await freePort(),
    hostname: "127.0.0.1",
    seed: { slack: SEED },
  });
  const apiRoot = `${emulator.url}/api/`;
  const call: Workspace["call"] = async (who, method, args) => {
    const response = await fetch(apiRoot + method, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKENS[who]}`, "content-type": "application/json" },
      body: JSON.stringify(args),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (answer["ok"] !== true) throw new Error(`${method} was refused: ${JSON.stringify(answer)}`);
    return answer;
  };
  const configured = slackChannel.configure(
    { mode: "http", botToken: TOKENS.bot, signingSecret: SECRET, apiRoot, ...settings },
    () => undefined,
  );
  if (configured.kind !== "configured") throw new Error(configured.why);
  const host = createFakeHost({ directory, ...(clock ? { clock } : {}) });
  const connection = await slackChannel.start(configured.account, host);
  const named = (list: unknown): Record<string, string> =>
    Object.fromEntries((list as Array<{ id: string; name: string }>).map(({ id, name }) => [name, id]));
  let keys = 0;
  return {
    host,
    connection,
    directory,
    users: named((await call("bot", "users.list", {}))["members"]),
    channels: named((await call("bot", "conversations.list", { types: "public_channel,private_channel" }))["channels"]),
    call,
    send(target, content, more = {}) {
      keys += 1;
      const message = {
        key: `key-${keys}`,
        target,
        content: typeof content === "string" ? { kind: "text" as const, markdown: content } : content,
        mayHaveArrived: false,
        ...more,
      };
      return connection.send(message, new AbortController().signal);
    },
    hand: (event) =>
      host.call(signed(JSON.stringify({ type: "event_callback", event_id: "Ev1", event }), "application/json")),
    handForm: (fields) => host.call(signed(String(new URLSearchParams(fields)), "application/x-www-form-urlencoded")),
    async [Symbol.asyncDispose]() {
      await connection.close();
      await emulator.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A request as Slack sends it. */
export function signed(text: string, type: string, { secret = SECRET, at = Date.now(), path = "/slack/events" } = {}) {
  const stamp = String(Math.floor(at / 1000));
  const signature = `v0=${createHmac("sha256", secret).update(`v0:${stamp}:${text}`).digest("hex")}`;
  const headers = { "content-type": type, "x-slack-request-timestamp": stamp, "x-slack-signature": signature };
  return { method: "POST", path, headers, body: Buffer.from(text) };
}

const SCOPES = [
  "chat:write channels:read channels:history groups:read groups:history im:read im:write im:history mpim:read mpim:write",
  "mpim:history users:read users:read.email users.profile:read users.profile:write files:read files:write",
  "reactions:read reactions:write pins:read pins:write",
]
  .join(" ")
  .split(" ");

const SEED = {
  signing_secret: SECRET,
  users: [
    { name: "alice", real_name: "Alice Example" },
    { name: "mallory", real_name: "Mallory Example" },
    { name: "bot", real_name: "Chela" },
  ],
  channels: [{ name: "lobby" }, { name: "quiet", is_private: true }],
  tokens: [
    { token: TOKENS.alice, type: "user", user: "alice", scopes: SCOPES },
    { token: TOKENS.mallory, type: "user", user: "mallory", scopes: SCOPES },
    { token: TOKENS.bot, type: "bot", user: "bot", scopes: SCOPES },
  ],
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
