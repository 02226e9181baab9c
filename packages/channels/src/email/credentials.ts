// Reads what the settings keep in files: the password and the certificate. Anew at each start, so that they can be renewed.
import { readFile } from "node:fs/promises";
import { Secret, GatewayError } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import type { EmailAccount, MailServer, Tls } from "./config.ts";

/** Where a server is and how we log in there. */
export interface Access {
  readonly host: string;
  readonly port: number;
  readonly tls: Tls;
  readonly user: string;
  readonly password: Secret;
  readonly ca?: string;
}

export async function readAccess(account: EmailAccount): Promise<{ readonly imap: Access; readonly smtp: Access }> {
  const { passwordFile, tlsCa } = account;
  const kept = passwordFile ? new Secret((await readText(passwordFile, "passwordFile")).trim()) : undefined;
  const ca = tlsCa ? { ca: await readText(tlsCa, "tlsCa") } : {};
  const complete = ({ host, port, tls, user, password }: MailServer): Access => {
    const found = password ?? kept;
    if (!found) throw new GatewayError("CHANNEL_SETTINGS", `email: there is no password for ${host}`);
    return { host, port, tls, user, password: found, ...ca };
  };
  return { imap: complete(account.imap), smtp: complete(account.smtp) };
}

async function readText(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const detail = `channels.email.${setting}: cannot read ${path} (${errnoOf(cause) ?? "unknown error"})`;
    throw new GatewayError("CHANNEL_SETTINGS", detail, { cause });
  }
}
