// Buttons below messages. Telegram gives back 64 bytes at most; longer data is kept here and fetched by a short key.
import { createHash } from "node:crypto";
import type { InlineKeyboardMarkup } from "grammy/types";
import type { Button, ChannelHost } from "@chela/sdk";

const MAX_BYTES = 64;
const KEPT = "kept:";

export async function toKeyboard(
  rows: ReadonlyArray<readonly Button[]>,
  host: Pick<ChannelHost, "remember">,
): Promise<InlineKeyboardMarkup> {
  const written = rows
    .filter((row) => row.length > 0)
    .map((row) =>
      Promise.all(row.map(async ({ text, data }) => ({ text, callback_data: await toCallback(data, host) }))),
    );
  return { inline_keyboard: await Promise.all(written) };
}

/** The key is made of the data, so that the same button, sent again, is not kept twice. */
async function toCallback(data: string, host: Pick<ChannelHost, "remember">): Promise<string> {
  if (data !== "" && Buffer.byteLength(data) <= MAX_BYTES && !data.startsWith(KEPT)) return data;
  const key = `${KEPT}${createHash("sha256").update(data).digest("base64url")}`;
  await host.remember(key, data);
  return key;
}

/** Undefined when nothing is known of the button any more. */
export async function fromCallback(data: string, host: Pick<ChannelHost, "recall">): Promise<string | undefined> {
  return data.startsWith(KEPT) ? host.recall(data) : data;
}
