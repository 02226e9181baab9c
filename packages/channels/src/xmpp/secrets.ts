// Reads what the settings keep in files: the password and the certificate. Anew at each start, so that they can be renewed.
import { readFile } from "node:fs/promises";
import { Secret, GatewayError } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import type { XmppAccount } from "./config.ts";

export interface Credentials {
  readonly password: Secret;
  /** The certificate of whoever signs the server's. */
  readonly ca: string | undefined;
}

export async function readCredentials(account: XmppAccount): Promise<Credentials> {
  const { password, passwordFile, tlsCa } = account;
  return {
    password: password ?? new Secret((await readText(passwordFile ?? "", "passwordFile")).trim()),
    ca: tlsCa === undefined ? undefined : await readText(tlsCa, "tlsCa"),
  };
}

async function readText(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const detail = `channels.xmpp.${setting}: cannot read ${path} (${errnoOf(cause) ?? "unknown error"})`;
    throw new GatewayError("CHANNEL_SETTINGS", detail, { cause });
  }
}
