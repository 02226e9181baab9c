// Reads an account's settings for this channel.
import { createHash } from "node:crypto";
import { Secret, commonPolicy, type Configured } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { readSettings } from "@chela/sdk/config";
import { whatsappCloudSection } from "./section.ts";

export { commonPolicy as policy };

export interface WhatsAppCloudAccount {
  readonly accessToken: Secret;
  readonly appSecret: Secret;
  readonly verifyToken: Secret;
  /** Secrets do not show when an account is compared with what it was; this does. */
  readonly secretsDigest: string;
  readonly phoneNumberId: string;
  /** With the version, and without a slash at its end. */
  readonly api: string;
  /** Absent: one made from the account's name. */
  readonly webhookPath?: string;
  readonly sendsReadReceipts: boolean;
  readonly tables: TableMode;
}

const OFFICIAL_API = "https://graph.facebook.com";
const API_VERSION = "v25.0";

export function configure(
  settings: unknown,
  env: (name: string) => string | undefined,
): Configured<WhatsAppCloudAccount> {
  const read = readSettings(whatsappCloudSection, settings);
  if (read.kind === "unusable") return incomplete(`${read.where} has a value that cannot be used.`);
  const { settings: written } = read;
  const secrets = {
    accessToken: firstOf(written.accessToken, env("WHATSAPP_CLOUD_ACCESS_TOKEN")),
    appSecret: firstOf(written.appSecret, env("WHATSAPP_CLOUD_APP_SECRET")),
    verifyToken: firstOf(written.verifyToken, env("WHATSAPP_CLOUD_VERIFY_TOKEN")),
  };
  const phoneNumberId = firstOf(readNumber(written.phoneNumberId), env("WHATSAPP_CLOUD_PHONE_NUMBER_ID"));
  const root = URL.parse(written.apiRoot);
  const version = written.apiVersion;
  const path = read.written.webhookPath?.trim();
  const why = findMistake({ ...secrets, phoneNumberId, version, root, path });
  if (why || !root) return incomplete(why ?? "");
  return {
    kind: "configured",
    account: {
      accessToken: new Secret(secrets.accessToken),
      appSecret: new Secret(secrets.appSecret),
      verifyToken: new Secret(secrets.verifyToken),
      secretsDigest: createHash("sha256")
        .update(JSON.stringify(Object.values(secrets)))
        .digest("hex"),
      phoneNumberId,
      api: `${`${root.origin}${root.pathname}`.replace(/\/+$/, "")}/${version}`,
      ...(path ? { webhookPath: path } : {}),
      sendsReadReceipts: written.sendReadReceipts,
      tables: written.markdown.tables,
    },
  };
}

interface Written {
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly phoneNumberId: string;
  readonly version: string;
  readonly root: URL | null;
  readonly path: string | undefined;
}

/** What is missing or wrong, in the order in which people set an app up. */
function findMistake(written: Written): string | undefined {
  const { accessToken, appSecret, verifyToken, phoneNumberId, version, root, path } = written;
  if (!accessToken) return "There is no access token. Set accessToken or WHATSAPP_CLOUD_ACCESS_TOKEN.";
  // It goes into a header.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) return "accessToken has characters no token has. Copy it again.";
  if (!/^\d+$/.test(phoneNumberId)) {
    return "phoneNumberId is missing or not a number. It is shown in Meta's app under WhatsApp, API setup, as a text of digits.";
  }
  if (!appSecret) {
    return "There is no app secret, without which anybody could send messages in Meta's name. Set appSecret or WHATSAPP_CLOUD_APP_SECRET.";
  }
  if (!verifyToken) {
    return "There is no verify token. Make one up, and set it as verifyToken and in Meta's app under WhatsApp, Configuration.";
  }
  if (!root || !["http:", "https:"].includes(root.protocol))
    return `apiRoot must be an address such as ${OFFICIAL_API}.`;
  if (!/^v\d+\.\d+$/.test(version)) return `apiVersion must be a version such as ${API_VERSION}.`;
  if (path && !/^\/[\w./-]+$/.test(path))
    return "webhookPath must begin with / and have only letters, digits and . _ - /.";
  return undefined;
}

/** A long number has lost its last digits when it was read, and may be somebody else's. */
function readNumber(value: string | number | undefined): string | undefined {
  return typeof value === "number"
    ? Number.isSafeInteger(value)
      ? String(value)
      : "too long, write it as a text"
    : value;
}

function firstOf(...values: ReadonlyArray<string | undefined>): string {
  return values.map((value) => value?.trim()).find(Boolean) ?? "";
}

const incomplete = (why: string): Configured<WhatsAppCloudAccount> => ({ kind: "incomplete", why });
