// One connected account: the mailbox that is watched, the server that sends, and how both end.
import type { ChannelConnection, ChannelHost } from "@chela/sdk";
import { Archive } from "./archive.ts";
import type { EmailAccount } from "./config.ts";
import { readAccess } from "./credentials.ts";
import { openImap } from "./imap.ts";
import { watchInbox } from "./read/inbox.ts";
import { takeMail } from "./read/inbound.ts";
import { findSentMail, sendMail, type SendParts } from "./send.ts";
import { SenderLimit } from "./read/sender-limit.ts";
import { Smtp } from "./smtp.ts";
import { Threads } from "./threads.ts";

export async function connect(account: EmailAccount, host: ChannelHost): Promise<ChannelConnection> {
  const access = await readAccess(account);
  const smtp = new Smtp(access.smtp, host.clock);
  const archive = new Archive(account, access.imap, host.clock);
  const threads = new Threads(host);
  await smtp.check();
  const client = await openImap(access.imap).catch((error: unknown) => {
    smtp.close();
    throw error;
  });
  try {
    const inbound = { client, host, account, threads, limit: new SenderLimit(account.maxPerSenderPerHour) };
    const inbox = await watchInbox({
      client,
      host,
      mailbox: account.mailbox,
      take: (mail, uidValidity, held) => takeMail(inbound, mail, uidValidity, held),
    });
    if (!account.requireDmarc) host.log.warn("requireDmarc is off: anybody can write in the name of anybody else");
    const self = { id: account.address, ...(account.name === undefined ? {} : { name: account.name }) };
    host.report({ linked: true, connected: true, self });
    host.alive();
    const parts: SendParts = { account, host, smtp, archive, threads };
    return {
      ended: inbox.ended.then((disconnect) => {
        host.report({ connected: false, lastError: disconnect.why });
        return disconnect;
      }),
      async close() {
        await inbox.stop();
        client.close();
        smtp.close();
        await archive.close();
        host.report({ connected: false });
      },
      ...capabilitiesOf(parts),
    };
  } catch (error) {
    client.close();
    smtp.close();
    throw error;
  }
}

function capabilitiesOf(
  parts: SendParts,
): Required<Pick<ChannelConnection, "send" | "findSent" | "download" | "directory" | "probe">> {
  const { account, host, archive, smtp } = parts;
  return {
    send: (message, signal) =>
      sendMail(parts, message, signal).catch((error: unknown) => {
        host.log.error("sending failed in a way nobody foresaw", { error });
        return { kind: "failed", reason: "uncertain", why: "sending failed in a way nobody foresaw" };
      }),
    findSent: (message) => findSentMail(parts, message),
    download: async (ref, signal) => archive.download(ref, signal),
    directory: {
      self: async () => ({ kind: "user", id: account.address, ...(account.name ? { name: account.name } : {}) }),
    },
    async probe() {
      await smtp.check();
      return { address: account.address, mailbox: account.mailbox, imap: account.imap.host, smtp: account.smtp.host };
    },
  };
}
