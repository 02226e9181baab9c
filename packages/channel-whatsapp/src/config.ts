// Reads an account's settings for this channel.
import { isAbsolute } from "node:path";
import { commonPolicy, type Configured } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { readSettings } from "@chela/sdk/config";
import { whatsappSection } from "./section.ts";

export { commonPolicy as policy };

export interface WhatsAppAccount {
  /** The number is linked to a person's own telephone: what they write to themselves is meant for us. */
  readonly takesSelfChat: boolean;
  readonly sendsReadReceipts: boolean;
  readonly tables: TableMode;
  /** Digits only; the account is then linked by a code typed on this telephone, and not by a picture. */
  readonly phoneNumber?: string;
  /** Another server than WhatsApp's own. */
  readonly webSocketUrl?: string;
  /** Where the credentials lie, if not in the account's own directory. */
  readonly authDirectory?: string;
}

export function configure(settings: unknown): Configured<WhatsAppAccount> {
  const read = readSettings(whatsappSection, settings ?? null);
  if (read.kind === "unusable") {
    const place = read.where || "channels.whatsapp";
    return incomplete(`${place} has a value that cannot be used.`);
  }
  const { selfChatMode, sendReadReceipts, markdown, phoneNumber, waWebSocketUrl, authDir } = read.settings;
  const digits = phoneNumber?.replace(/[^\d]/g, "");
  if (digits !== undefined && !/^\d{7,15}$/.test(digits)) {
    return incomplete("phoneNumber must be a number with its country code, such as +4915112345678.");
  }
  if (waWebSocketUrl && !/^wss?:$/.test(URL.parse(waWebSocketUrl)?.protocol ?? "")) {
    return incomplete("waWebSocketUrl must be an address that begins with wss:// or ws://.");
  }
  if (authDir && !isAbsolute(authDir)) return incomplete("authDir must be an absolute path.");
  return {
    kind: "configured",
    account: {
      takesSelfChat: selfChatMode,
      sendsReadReceipts: sendReadReceipts,
      tables: markdown.tables,
      ...(digits ? { phoneNumber: digits } : {}),
      ...(waWebSocketUrl ? { webSocketUrl: waWebSocketUrl } : {}),
      ...(authDir ? { authDirectory: authDir } : {}),
    },
  };
}

const incomplete = (why: string): Configured<WhatsAppAccount> => ({ kind: "incomplete", why });
