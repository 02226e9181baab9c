// The WebSocket over which Mattermost tells what happens: logs in, keeps it alive, and notices when events are missing.
import { parseJson, every } from "@chela/sdk/base";
import { GatewayError, type ChannelHost, type Disconnect } from "@chela/sdk";
import type { RawData, WebSocket } from "ws";
import type { MattermostAccount } from "./config.ts";
import { Frame, type SocketEvent, type SocketFrame } from "./wire.ts";

export interface Socket {
  readonly ended: Promise<Disconnect>;
  /** Says something that needs no answer. */
  say(action: string, data: Readonly<Record<string, string>>): void;
  end(why: Disconnect): void;
  close(): Promise<void>;
}

export interface SocketNeeds {
  readonly account: MattermostAccount;
  readonly host: ChannelHost;
  hear(event: SocketEvent): void;
  /** Events were lost on the way; they can be asked for. */
  missed(): void;
}

const OPEN_MS = 15_000;
const LOGIN_MS = 10_000;
const PING_EVERY_MS = 20_000;
const CLOSE_MS = 2000;
const MOST_BYTES = 8 * 1024 * 1024;
const LOGIN_SEQ = 1;

export async function openSocket({ account, host, hear, missed }: SocketNeeds): Promise<Socket> {
  const { WebSocket: createSocket } = await import("ws");
  const url = `${account.baseUrl.replace(/^http/, "ws")}/api/v4/websocket`;
  const socket = new createSocket(url, { handshakeTimeout: OPEN_MS, maxPayload: MOST_BYTES, followRedirects: false });
  const ended = Promise.withResolvers<Disconnect>();
  const login = Promise.withResolvers<void>();
  login.promise.catch(() => {});
  let reason: Disconnect | undefined;
  let expected: number | undefined;
  let said = LOGIN_SEQ;

  socket.on("error", () => (reason ??= { why: "the WebSocket to Mattermost broke" }));
  socket.on("close", () => {
    ended.resolve(reason ?? { why: "Mattermost closed the WebSocket" });
    login.reject(new GatewayError("CHANNEL_OFFLINE", "Mattermost, the WebSocket could not be opened"));
  });
  socket.on("pong", () => host.alive());
  socket.on("open", () => {
    const data = { token: account.botToken.reveal() };
    socket.send(JSON.stringify({ seq: LOGIN_SEQ, action: "authentication_challenge", data }));
  });
  socket.on("message", (raw) => {
    host.alive();
    const frame = readFrame(raw);
    if (!frame) return;
    if (!("event" in frame)) return hearAnswer(frame, login);
    if (expected !== undefined && frame.seq > expected) missed();
    expected = frame.seq + 1;
    if (frame.event === "hello") login.resolve();
    else hear(frame);
  });

  const say: Socket["say"] = (action, data) => {
    if (socket.readyState !== socket.OPEN) return;
    said += 1;
    socket.send(JSON.stringify({ seq: said, action, data }));
  };
  const close = async (): Promise<void> => {
    const cancel = host.clock.after(CLOSE_MS, () => socket.terminate());
    if (socket.readyState !== socket.CLOSED) socket.close();
    await ended.promise;
    cancel();
  };
  const cancelLogin = host.clock.after(OPEN_MS + LOGIN_MS, () =>
    login.reject(new GatewayError("CHANNEL_OFFLINE", "Mattermost, nobody answered on the WebSocket")),
  );
  try {
    await login.promise;
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    cancelLogin();
  }
  keepAlive(socket, host, ended.promise);
  return {
    ended: ended.promise,
    say,
    end(why) {
      reason ??= why;
      void close();
    },
    close,
  };
}

function readFrame(raw: RawData): SocketFrame | undefined {
  return Frame().safeParse(parseJson(String(raw))).data;
}

function hearAnswer(
  { status, seq_reply: to }: Extract<SocketFrame, { status: string }>,
  login: { resolve(): void; reject(error: GatewayError): void },
): void {
  if (to !== undefined && to !== LOGIN_SEQ) return;
  if (status === "OK") login.resolve();
  else login.reject(new GatewayError("CHANNEL_AUTH", "Mattermost refused the bot token on the WebSocket"));
}

function keepAlive(socket: WebSocket, host: ChannelHost, ended: Promise<Disconnect>): void {
  const stop = every(host.clock, PING_EVERY_MS, () => {
    if (socket.readyState === socket.OPEN) socket.ping();
  });
  void ended.then(stop);
}
