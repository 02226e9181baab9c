// Our side in tests of the XMPP channel: an account that is connected, with the host it talks to.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelConnection, ChannelEvent, OutboundContent, SendOutcome } from "@chela/sdk";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { xmppChannel } from "../src/xmpp/channel.ts";
import { PASSWORD, type XmppServer } from "./xmpp-server.test-support.ts";

export interface Bot extends AsyncDisposable {
  readonly connection: ChannelConnection;
  readonly host: FakeHost;
  readonly directory: string;
  say(to: string, content: OutboundContent | string, more?: { replyTo?: string; key?: string }): Promise<SendOutcome>;
  /** The next event whose text has this in it. */
  hears(text: string): Promise<ChannelEvent>;
}

export async function startBot(
  server: Pick<XmppServer, "port" | "certificate">,
  settings: Record<string, unknown> = {},
  memory?: Map<string, string>,
): Promise<Bot> {
  const directory = mkdtempSync(join(tmpdir(), "chela-xmpp-"));
  const host = createFakeHost({ directory, ...(memory ? { memory } : {}) });
  const configured = xmppChannel.configure(
    {
      jid: "chela@localhost",
      password: PASSWORD,
      service: `xmpp://127.0.0.1:${server.port}`,
      tlsCa: server.certificate,
      ...settings,
    },
    () => undefined,
  );
  if (configured.kind !== "configured") throw new Error(configured.why);
  try {
    const connection = await xmppChannel.start(configured.account, host);
    let count = 0;
    return {
      connection,
      host,
      directory,
      say: (to, content, { key = `key-${++count}`, ...more } = {}) =>
        connection.send(
          {
            key,
            target: { to },
            content: typeof content === "string" ? { kind: "text", markdown: content } : content,
            mayHaveArrived: false,
            ...more,
          },
          new AbortController().signal,
        ),
      hears: (text) => host.next(({ content }) => "text" in content && content.text.includes(text)),
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

/** Starts, and hands back what went wrong. */
export async function failToStart(
  server: Pick<XmppServer, "port" | "certificate">,
  settings: Record<string, unknown>,
): Promise<unknown> {
  try {
    await using _bot = await startBot(server, settings);
    return "it started";
  } catch (error) {
    return error;
  }
}
