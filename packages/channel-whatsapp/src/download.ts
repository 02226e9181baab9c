// Fetches an attachment, decrypts it as it comes, and checks at the end that nobody has changed it.
import { createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { GatewayError, type ChannelHost } from "@chela/sdk";
import type { WhatsAppAccount } from "./config.ts";
import { readMediaRef, type MediaRef } from "./media-ref.ts";

const MEDIA_ORIGIN = "https://mmg.whatsapp.net";
const TIMEOUT_MS = 120_000;
/** WhatsApp takes no larger files. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024;
/** At the end of the encrypted bytes. */
const SEAL_BYTES = 10;

export async function downloadMedia(
  ref: string,
  account: WhatsAppAccount,
  host: ChannelHost,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const media = readMediaRef(ref);
  const url = media && addressOf(media, account);
  if (!media || !url) throw new GatewayError("MEDIA_FETCH", "WhatsApp did not say where the file is");
  const abort = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let response: Response;
  try {
    response = await host.fetch(url, { signal: abort, headers: { origin: "https://web.whatsapp.com" } });
  } catch (error) {
    throw new GatewayError("MEDIA_FETCH", "the file could not be fetched from WhatsApp", { cause: error });
  }
  if (response.ok && response.body) return decrypt(response.body, media);
  await response.body?.cancel();
  const isGone = response.status === 404 || response.status === 410;
  throw new GatewayError(
    "MEDIA_FETCH",
    isGone ? "WhatsApp does not keep the file any more" : "WhatsApp refused the file",
  );
}

/** The sender chose the address, so only WhatsApp's own is followed, or that of the server the operator chose. */
function addressOf({ url, path }: MediaRef, { webSocketUrl }: WhatsAppAccount): string | undefined {
  const own = webSocketUrl ? new URL(webSocketUrl.replace(/^ws/, "http")).origin : undefined;
  const given = url ? URL.parse(url) : null;
  if (given && (given.origin === MEDIA_ORIGIN || given.origin === own)) return given.href;
  return path?.startsWith("/") ? `${own ?? MEDIA_ORIGIN}${path}` : undefined;
}

async function* decrypt(body: AsyncIterable<Uint8Array>, { mediaKey, keys }: MediaRef): AsyncGenerator<Uint8Array> {
  const expanded = Buffer.from(hkdfSync("sha256", Buffer.from(mediaKey, "base64"), "", `WhatsApp ${keys} Keys`, 112));
  const [iv, cipherKey, sealKey] = [expanded.subarray(0, 16), expanded.subarray(16, 48), expanded.subarray(48, 80)];
  const decipher = createDecipheriv("aes-256-cbc", cipherKey, iv);
  const seal = createHmac("sha256", sealKey).update(iv);
  let tail = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new GatewayError("MEDIA_REFUSED", "the file is larger than 2 GB");
    const joined = Buffer.concat([tail, chunk]);
    const ready = joined.subarray(0, Math.max(0, joined.length - SEAL_BYTES));
    tail = Buffer.from(joined.subarray(ready.length));
    seal.update(ready);
    const plain = decipher.update(ready);
    if (plain.length > 0) yield plain;
  }
  const expected = seal.digest().subarray(0, SEAL_BYTES);
  if (tail.length !== SEAL_BYTES || !timingSafeEqual(tail, expected)) {
    throw new GatewayError("MEDIA_FETCH", "the file broke off or was changed on its way");
  }
  yield decipher.final();
}
