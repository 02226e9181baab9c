// Fetches a file somebody sent, in the two steps the Cloud API wants: where it is, and then the bytes.
import * as z from "zod";
import { GatewayError, once, type ChannelHost } from "@chela/sdk";
import type { CloudApi } from "./api.ts";
import type { WhatsAppCloudAccount } from "./config.ts";

const Place = once(() => z.object({ url: z.string() }));
const MEDIA_ORIGIN = "https://lookaside.fbsbx.com";
const TIMEOUT_MS = 120_000;
const MOST_BYTES = 100 * 1024 * 1024;

export async function downloadMedia(
  ref: string,
  api: CloudApi,
  account: WhatsAppCloudAccount,
  host: ChannelHost,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const found = await api.get(`/${encodeURIComponent(ref)}`, signal);
  if (found.kind === "failed") throw new GatewayError("MEDIA_FETCH", found.why);
  const url = URL.parse(Place().safeParse(found.result).data?.url ?? "");
  // The token goes along, so it must go to nobody but Meta.
  if (!url || ![new URL(account.api).origin, MEDIA_ORIGIN].includes(url.origin)) {
    throw new GatewayError("MEDIA_FETCH", "Meta names a place for the file that is not its own");
  }
  let response: Response;
  try {
    response = await host.fetch(url, {
      headers: { authorization: `Bearer ${account.accessToken.reveal()}` },
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch {
    throw new GatewayError("MEDIA_FETCH", "the file could not be fetched from Meta");
  }
  if (response.ok && response.body) return readThrough(response.body);
  await response.body?.cancel();
  throw new GatewayError("MEDIA_FETCH", `Meta answered with status ${response.status} when asked for the file`);
}

async function* readThrough(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw new GatewayError("MEDIA_REFUSED", "the file is larger than the 100 MB WhatsApp allows");
    yield chunk;
  }
}
