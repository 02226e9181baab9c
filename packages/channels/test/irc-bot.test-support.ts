// Our side in tests of the IRC channel: an account that is connected, with the host it talks to.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelConnection, ChannelEvent, Clock, SendOutcome } from "@chela/sdk";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { ircChannel } from "../src/irc/channel.ts";

export interface Bot extends AsyncDisposable {
  readonly connection: ChannelConnection;
  readonly host: FakeHost;
  say(to: string, markdown: string, more?: { replyTo?: string; key?: string }): Promise<SendOutcome>;
  /** The next event whose text has this in it. */
  hears(text: string): Promise<ChannelEvent>;
}

export interface BotOptions {
  readonly clock?: Clock;
  readonly memory?: Map<string, string>;
}

export async function startBot(settings: Record<string, unknown>, options: BotOptions = {}): Promise<Bot> {
  const directory = mkdtempSync(join(tmpdir(), "chela-irc-"));
  const host = createFakeHost({ directory, ...options });
  const configured = ircChannel.configure(
    { host: "127.0.0.1", tls: false, nick: "chela", ...settings },
    () => undefined,
  );
  if (configured.kind !== "configured") throw new Error(configured.why);
  try {
    const connection = await ircChannel.start(configured.account, host);
    let count = 0;
    return {
      connection,
      host,
      say: (to, markdown, { key = `key-${++count}`, ...more } = {}) =>
        connection.send(
          { key, target: { to }, content: { kind: "text", markdown }, mayHaveArrived: false, ...more },
          new AbortController().signal,
        ),
      hears: (text) => host.next(({ content }) => content.kind === "message" && content.text.includes(text)),
      async [Symbol.asyncDispose]() {
        await connection.close();
        rmSync(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}
