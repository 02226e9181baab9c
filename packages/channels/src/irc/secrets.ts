// Reads what the settings keep in files: passwords and certificates. Anew at each start, so that they can be renewed.
import { readFile } from "node:fs/promises";
import { GatewayError } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import type { IrcAccount, SecretPlace } from "./config.ts";
import type { TlsOptions } from "./server/link.ts";

export interface Credentials {
  readonly serverPassword: string | undefined;
  readonly nickservPassword: string | undefined;
}

export async function readCredentials(account: IrcAccount): Promise<Credentials> {
  return {
    serverPassword: await readSecret(account.password, "passwordFile"),
    nickservPassword: account.nickserv && (await readSecret(account.nickserv.password, "nickserv.passwordFile")),
  };
}

export async function readTls(account: IrcAccount): Promise<TlsOptions | undefined> {
  if (!account.tls) return undefined;
  const { tlsCa, tlsFingerprint, clientCertificate } = account;
  return {
    ca: tlsCa === undefined ? undefined : await readText(tlsCa, "tlsCa"),
    fingerprint: tlsFingerprint,
    clientCertificate: clientCertificate && {
      cert: await readText(clientCertificate.cert, "tlsCert"),
      key: await readText(clientCertificate.key, "tlsKey"),
    },
  };
}

async function readSecret({ text, file }: SecretPlace, setting: string): Promise<string | undefined> {
  if (text) return text;
  return file === undefined ? undefined : (await readText(file, setting)).trim();
}

async function readText(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const detail = `channels.irc.${setting}: cannot read ${path} (${errnoOf(cause) ?? "unknown error"})`;
    throw new GatewayError("CHANNEL_SETTINGS", detail, { cause });
  }
}
