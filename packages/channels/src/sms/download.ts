// Fetches a file of an MMS. Twilio's API wants the credentials and points to where the bytes are, which must not get them.
import { GatewayError, type ChannelHost } from "@chela/sdk";
import { accountPath, credentialsOf } from "./api.ts";
import { OFFICIAL_API, type SmsAccount } from "./config.ts";

const TIMEOUT_MS = 120_000;
const MOST_BYTES = 16 * 1024 * 1024;

export async function downloadMedia(
  ref: string,
  account: SmsAccount,
  host: ChannelHost,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const url = URL.parse(ref);
  const isTwilios = [account.apiRoot, OFFICIAL_API].some((root) =>
    url?.href.startsWith(`${root}${accountPath(account)}/`),
  );
  if (!url || !isTwilios) {
    throw new GatewayError("MEDIA_FETCH", "the file lies at a place that is not Twilio's");
  }
  let response: Response;
  try {
    // A redirect to another origin is followed without the credentials.
    response = await host.fetch(url, {
      headers: { authorization: credentialsOf(account) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch {
    throw new GatewayError("MEDIA_FETCH", "the file could not be fetched from Twilio");
  }
  if (response.ok && response.body) return readThrough(response.body);
  await response.body?.cancel();
  throw new GatewayError("MEDIA_FETCH", `Twilio answered with status ${response.status} when asked for the file`);
}

async function* readThrough(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new GatewayError("MEDIA_REFUSED", "the file is larger than an MMS can be");
    yield chunk;
  }
}
