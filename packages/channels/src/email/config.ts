// Reads an account's settings for this channel.
import { createHash } from "node:crypto";
import { Secret, type Configured } from "@chela/sdk";
import { normaliseAddress } from "./address.ts";
import { readSettings, type SettingsOf, type WrittenOf } from "@chela/sdk/config";
import { emailSection } from "./section.ts";

export type Tls = boolean | "starttls";

export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly tls: Tls;
  readonly user: string;
  /** Absent: it is in `passwordFile`. */
  readonly password?: Secret;
}

export interface EmailAccount {
  readonly address: string;
  /** How the sender of our mails is shown. */
  readonly name?: string;
  readonly imap: MailServer;
  readonly mailbox: string;
  readonly smtp: MailServer;
  readonly passwordFile?: string;
  readonly tlsCa?: string;
  /** Secrets do not show when an account is compared with what it was; this does. */
  readonly secretsDigest: string;
  readonly trustedAuthServers: readonly string[];
  readonly requireDmarc: boolean;
  readonly maxMessageBytes: number;
  readonly maxPerSenderPerHour: number;
  readonly sentMailbox?: string;
}

type Settings = SettingsOf<typeof emailSection>;
type Written = WrittenOf<typeof emailSection>;
type WrittenServer = NonNullable<Written["imap" | "smtp"]>;
type Env = (name: string) => string | undefined;

/** On which ports TLS begins at once; on others it is asked for first. */
const PROTOCOLS = {
  imap: { name: "IMAP", beginsWithTls: (port: number) => port !== 143 },
  smtp: { name: "SMTP", beginsWithTls: (port: number) => port === 465 },
} as const;
type Protocol = keyof typeof PROTOCOLS;

export function configure(unread: unknown, env: Env): Configured<EmailAccount> {
  const read = readSettings(emailSection, unread);
  if (read.kind === "unusable") {
    return incomplete(`${read.where || "The block"} has a value that cannot be used.`);
  }
  const { settings, written } = read;
  const address = normaliseAddress(written.address?.trim() ?? "");
  if (address === undefined)
    return incomplete("There is no mail address to write from. Set address, such as bot@example.org.");
  const password = written.imap?.password || env("EMAIL_PASSWORD") || undefined;
  if (password === undefined && !written.passwordFile) {
    return incomplete("There is no password. Set imap.password, passwordFile or EMAIL_PASSWORD.");
  }
  const imap = readServer("imap", written.imap, settings.imap.port, { user: address, password });
  if (typeof imap === "string") return incomplete(imap);
  const smtp = readServer("smtp", written.smtp, settings.smtp.port, { user: imap.user, password });
  if (typeof smtp === "string") return incomplete(smtp);
  return { kind: "configured", account: { ...readRest(settings), address, imap, smtp } };
}

const incomplete = (why: string): Configured<EmailAccount> => ({ kind: "incomplete", why });

function readServer(
  protocol: Protocol,
  written: WrittenServer | undefined,
  port: number,
  otherwise: { readonly user: string; readonly password: string | undefined },
): MailServer | string {
  const { name, beginsWithTls } = PROTOCOLS[protocol];
  const host = written?.host?.trim();
  if (!host) return `There is no ${name} server. Set ${protocol}.host, such as ${protocol}.example.org.`;
  const tls = written?.tls ?? (beginsWithTls(port) ? true : "starttls");
  if (tls === false && !isOwnMachine(host)) {
    return `${protocol}.tls is off, and the password would be readable on the way to ${host}. Set it to true or "starttls".`;
  }
  const password = written?.password || otherwise.password;
  return {
    host,
    port,
    tls,
    user: written?.user || otherwise.user,
    ...(password === undefined ? {} : { password: new Secret(password) }),
  };
}

function isOwnMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function readRest(settings: Settings): Omit<EmailAccount, "address" | "imap" | "smtp"> {
  const { name, passwordFile, tlsCa, sentMailbox, imap, smtp } = settings;
  return {
    mailbox: imap.mailbox || "INBOX",
    secretsDigest: digestOf([imap.password ?? "", smtp.password ?? ""]),
    trustedAuthServers: (settings.trustedAuthServers ?? []).map((server) => server.trim().toLowerCase()),
    requireDmarc: settings.requireDmarc,
    maxMessageBytes: settings.maxMessageMb * 1024 * 1024,
    maxPerSenderPerHour: settings.maxPerSenderPerHour,
    ...(name ? { name } : {}),
    ...(passwordFile ? { passwordFile } : {}),
    ...(tlsCa ? { tlsCa } : {}),
    ...(sentMailbox ? { sentMailbox } : {}),
  };
}

function digestOf(secrets: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(secrets)).digest("hex");
}
