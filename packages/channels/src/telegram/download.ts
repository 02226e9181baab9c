// Fetches a file somebody sent, as it comes.
import { GatewayError, type Clock } from "@chela/sdk";
import { createHttpFetch, type HttpResponse } from "@chela/sdk/http";
import { expectDone, type TelegramApi } from "./api.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

export async function downloadFile(
  api: TelegramApi,
  clock: Clock,
  ref: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const found = await api.call("getFile", { file_id: ref }, { signal });
  if (found.kind === "refused" && /too big/i.test(found.why)) {
    throw new GatewayError("MEDIA_REFUSED", "Telegram hands bots files of up to 20 MB, and this one is larger");
  }
  const path = expectDone(found, "the file cannot be fetched").file_path;
  // A server in its local mode names a file on its own disk.
  if (!path || path.startsWith("/")) {
    throw new GatewayError("MEDIA_REFUSED", "the Bot API server does not hand out files over the network");
  }
  return fetchFile(api.fileUrl(path), clock, signal);
}

async function fetchFile(url: string, clock: Clock, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const fetch = createHttpFetch({ maxResponseBytes: MAX_BYTES });
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const cancel = clock.after(TIMEOUT_MS, stop);
  signal.addEventListener("abort", stop, { once: true });
  const end = (): void => {
    cancel();
    signal.removeEventListener("abort", stop);
    fetch.close();
  };
  let response: HttpResponse;
  try {
    response = await fetch(url, { signal: abort.signal });
  } catch {
    end();
    // The error is left out: it may name the address, which holds the token.
    throw new GatewayError("CHANNEL_OFFLINE", "the file could not be fetched from Telegram");
  }
  if (response.ok) return readThrough(response, end);
  response.discard();
  end();
  throw new GatewayError("CHANNEL_REFUSED", `Telegram answered with status ${response.status} when asked for the file`);
}

async function* readThrough(response: HttpResponse, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* response.chunks();
  } catch {
    throw new GatewayError("CHANNEL_OFFLINE", "the file broke off, took too long or is too large");
  } finally {
    end();
  }
}
