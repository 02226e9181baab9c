// An account of ours on the mail servers of a test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelConnection, OutboundContent, OutboundMessage, SendOutcome, Target } from "@chela/sdk";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { emailChannel } from "../src/email/channel.ts";
import { EXCHANGER } from "./email-people.test-support.ts";
import { address, PASSWORD, type MailServers } from "./email-servers.test-support.ts";

interface Ports {
  readonly imapPort?: number;
  readonly smtpPort?: number;
}

export function settingsFor(servers: MailServers, { imapPort, smtpPort }: Ports = {}): Record<string, unknown> {
  return {
    address: address("bot"),
    name: "The Bot",
    imap: { host: "localhost", port: imapPort ?? servers.imapPort, tls: true, password: PASSWORD },
    smtp: { host: "localhost", port: smtpPort ?? servers.smtpPort },
    tlsCa: servers.certificate,
    trustedAuthServers: [EXCHANGER],
    maxPerSenderPerHour: 1000,
  };
}

export interface Bot extends AsyncDisposable {
  readonly host: FakeHost;
  readonly connection: ChannelConnection;
  send(key: string, target: Target, content: string | OutboundContent, replyTo?: string): Promise<SendOutcome>;
  /** The message a person wrote with these words in it. */
  said(words: string): ReturnType<FakeHost["next"]>;
}

export async function startBot(settings: Record<string, unknown>, memory?: Map<string, string>): Promise<Bot> {
  const configured = emailChannel.configure(settings, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  const directory = mkdtempSync(join(tmpdir(), "chela-email-"));
  const host = createFakeHost({ directory, ...(memory ? { memory } : {}) });
  const clean = (): void => rmSync(directory, { recursive: true, force: true });
  const connection = await emailChannel.start(configured.account, host).catch((error: unknown) => {
    clean();
    throw error;
  });
  return {
    host,
    connection,
    send(key, target, content, replyTo) {
      const message: OutboundMessage = {
        key,
        target,
        content: typeof content === "string" ? { kind: "text", markdown: content } : content,
        mayHaveArrived: false,
        ...(replyTo === undefined ? {} : { replyTo }),
      };
      return connection.send(message, new AbortController().signal);
    },
    said: (words) => host.next(({ content }) => "text" in content && content.text.includes(words)),
    async [Symbol.asyncDispose]() {
      await connection.close();
      clean();
    },
  };
}
