// What this channel reads of an account's settings.
import { createHash } from "node:crypto";
import * as z from "zod";
import { Secret, once, type Configured, type Parsed } from "@chela/sdk";
import { normaliseAddress } from "./address.ts";

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

const Server = () =>
  z
    .object({
      host: z.string().trim().optional(),
      port: z.int().min(1).max(65_535).optional(),
      tls: z.union([z.boolean(), z.literal("starttls")]).optional(),
      user: z.string().optional(),
      password: z.string().optional(),
      mailbox: z.string().optional(),
    })
    .optional();

const Settings = once(() =>
  z.object({
    address: z.string().trim().optional(),
    name: z.string().optional(),
    imap: Server(),
    smtp: Server(),
    passwordFile: z.string().optional(),
    tlsCa: z.string().optional(),
    trustedAuthServers: z.array(z.string()).optional(),
    requireDmarc: z.boolean().optional(),
    maxMessageMb: z.number().positive().optional(),
    maxPerSenderPerHour: z.int().positive().optional(),
    sentMailbox: z.string().optional(),
  }),
);
type Written = Parsed<typeof Settings>;
type WrittenServer = NonNullable<Written["imap"]>;
type Env = (name: string) => string | undefined;

/** On which ports TLS begins at once; on others it is asked for first. */
const PROTOCOLS = {
  imap: { name: "IMAP", port: 993, beginsWithTls: (port: number) => port !== 143 },
  smtp: { name: "SMTP", port: 587, beginsWithTls: (port: number) => port === 465 },
} as const;
type Protocol = keyof typeof PROTOCOLS;

export function configure(settings: unknown, env: Env): Configured<EmailAccount> {
  const read = Settings().safeParse(settings ?? {});
  if (!read.success) {
    return incomplete(`${read.error.issues[0]?.path.join(".") || "The block"} has a value that cannot be used.`);
  }
  const written = read.data;
  const address = normaliseAddress(written.address ?? "");
  if (address === undefined)
    return incomplete("There is no mail address to write from. Set address, such as bot@example.org.");
  const password = written.imap?.password || env("EMAIL_PASSWORD") || undefined;
  if (password === undefined && !written.passwordFile) {
    return incomplete("There is no password. Set imap.password, passwordFile or EMAIL_PASSWORD.");
  }
  const imap = readServer("imap", written.imap, { user: address, password });
  if (typeof imap === "string") return incomplete(imap);
  const smtp = readServer("smtp", written.smtp, { user: imap.user, password });
  if (typeof smtp === "string") return incomplete(smtp);
  return { kind: "configured", account: { ...readRest(written), address, imap, smtp } };
}

const incomplete = (why: string): Configured<EmailAccount> => ({ kind: "incomplete", why });

function readServer(
  protocol: Protocol,
  written: WrittenServer | undefined,
  otherwise: { readonly user: string; readonly password: string | undefined },
): MailServer | string {
  const { name, port: usual, beginsWithTls } = PROTOCOLS[protocol];
  const host = written?.host;
  if (!host) return `There is no ${name} server. Set ${protocol}.host, such as ${protocol}.example.org.`;
  const port = written.port ?? usual;
  const tls = written.tls ?? (beginsWithTls(port) ? true : "starttls");
  if (tls === false && !isOwnMachine(host)) {
    return `${protocol}.tls is off, and the password would be readable on the way to ${host}. Set it to true or "starttls".`;
  }
  const password = written.password || otherwise.password;
  return {
    host,
    port,
    tls,
    user: written.user || otherwise.user,
    ...(password === undefined ? {} : { password: new Secret(password) }),
  };
}

function isOwnMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function readRest(written: Written): Omit<EmailAccount, "address" | "imap" | "smtp"> {
  const { name, passwordFile, tlsCa, sentMailbox } = written;
  return {
    mailbox: written.imap?.mailbox || "INBOX",
    secretsDigest: digestOf([written.imap?.password ?? "", written.smtp?.password ?? ""]),
    trustedAuthServers: (written.trustedAuthServers ?? []).map((server) => server.trim().toLowerCase()),
    requireDmarc: written.requireDmarc ?? true,
    maxMessageBytes: (written.maxMessageMb ?? 25) * 1024 * 1024,
    maxPerSenderPerHour: written.maxPerSenderPerHour ?? 10,
    ...(name ? { name } : {}),
    ...(passwordFile ? { passwordFile } : {}),
    ...(tlsCa ? { tlsCa } : {}),
    ...(sentMailbox ? { sentMailbox } : {}),
  };
}

function digestOf(secrets: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(secrets)).digest("hex");
}
