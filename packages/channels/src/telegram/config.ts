// Reads an account's settings for this channel.
import { readFileSync, statSync } from "node:fs";
import { Secret, type Configured, type SecretPlace } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { errnoOf } from "@chela/sdk/files";
import { readSettings, type WrittenOf } from "@chela/sdk/config";
import { telegramSection } from "./section.ts";

export interface TelegramAccount {
  readonly token: Secret;
  /** Without a slash at its end. */
  readonly apiRoot: string;
  readonly timeoutMs: number;
  readonly showsLinkPreview: boolean;
  readonly sendsRichMessages: boolean;
  readonly tables: TableMode;
  /** Absent: messages are fetched. */
  readonly webhook?: { readonly url: string; readonly secret: Secret; readonly path?: string };
}

type Written = WrittenOf<typeof telegramSection>;

const OFFICIAL_API = "https://api.telegram.org";
const MAX_TOKEN_FILE_BYTES = 4096;

export function configure(settings: unknown, env: (name: string) => string | undefined): Configured<TelegramAccount> {
  const read = readSettings(telegramSection, settings);
  if (read.kind === "unusable") return incomplete(`${read.where} has a value that cannot be used.`);
  const { settings: account, written } = read;
  const token = findToken(written, env);
  if (token.kind === "incomplete") return token;
  const apiRoot = readApiRoot(account.apiRoot);
  if (apiRoot.kind === "incomplete") return apiRoot;
  const webhook = readWebhook(written);
  if (webhook.kind === "incomplete") return webhook;
  const configured: TelegramAccount = {
    token: new Secret(token.value),
    apiRoot: apiRoot.value,
    timeoutMs: account.timeoutSeconds * 1000,
    showsLinkPreview: account.linkPreview,
    sendsRichMessages: account.richMessages,
    tables: account.markdown.tables,
    ...(webhook.value ? { webhook: webhook.value } : {}),
  };
  return {
    kind: "configured",
    account: configured,
    about: {
      mode: webhook.value ? "webhook" : "polling",
      ...(token.source ? { tokenSource: token.source } : {}),
    },
  };
}

type Incomplete = { readonly kind: "incomplete"; readonly why: string };
type Read<T> = { readonly kind: "read"; readonly value: T } | Incomplete;

const incomplete = (why: string): Incomplete => ({ kind: "incomplete", why });

type Found = Read<string> & { readonly source?: SecretPlace };

function findToken(written: Written, env: (name: string) => string | undefined): Found {
  const fromFile = written.tokenFile ? readTokenFile(written.tokenFile) : undefined;
  if (fromFile?.kind === "incomplete") return fromFile;
  const token = (fromFile?.value ?? written.botToken ?? env("TELEGRAM_BOT_TOKEN") ?? "").trim();
  if (token === "") {
    return incomplete(
      "There is no bot token. Ask @BotFather for one and set botToken, tokenFile or TELEGRAM_BOT_TOKEN.",
    );
  }
  const source = fromFile ? "tokenFile" : written.botToken === undefined ? "env" : "config";
  // It becomes part of an address: anything else would lead elsewhere.
  if (/^[A-Za-z0-9:_-]+$/.test(token)) return { kind: "read", value: token, source };
  return incomplete(
    "The bot token is not one of Telegram's, which look like 123456:ABC-DEF. Copy it from @BotFather again.",
  );
}

function readTokenFile(path: string): Read<string> {
  try {
    const { size } = statSync(path);
    if (size > MAX_TOKEN_FILE_BYTES) return incomplete(`The file in tokenFile is too large for a token: ${path}.`);
    return { kind: "read", value: readFileSync(path, "utf8") };
  } catch (error) {
    return incomplete(`The file in tokenFile cannot be read (${errnoOf(error) ?? "unknown reason"}): ${path}.`);
  }
}

function readApiRoot(written: string): Read<string> {
  const url = URL.parse(written);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    return incomplete(`apiRoot must be an address such as ${OFFICIAL_API}.`);
  }
  return { kind: "read", value: `${url.origin}${url.pathname}`.replace(/\/+$/, "") };
}

function readWebhook({ webhookUrl, webhookSecret, webhookPath }: Written): Read<TelegramAccount["webhook"]> {
  if (!webhookUrl) return { kind: "read", value: undefined };
  if (!webhookSecret) {
    return incomplete("webhookUrl needs a webhookSecret: without one anybody could send messages in Telegram's name.");
  }
  if (!/^[A-Za-z0-9_-]{1,256}$/.test(webhookSecret)) {
    return incomplete("webhookSecret may have 1 to 256 letters, digits, _ and -. Choose another one.");
  }
  if (!URL.canParse(webhookUrl)) return incomplete("webhookUrl must be an address Telegram can reach, with https.");
  const path = webhookPath ? { path: webhookPath.startsWith("/") ? webhookPath : `/${webhookPath}` } : {};
  return { kind: "read", value: { url: webhookUrl, secret: new Secret(webhookSecret), ...path } };
}
