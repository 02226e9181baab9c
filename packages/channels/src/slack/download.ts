// Fetches files people sent. The token goes to Slack's own addresses and nowhere else, also when Slack redirects.
import * as z from "zod";
import { GatewayError, type ChannelHost } from "@chela/sdk";
import type { SlackApi } from "./api.ts";
import type { SlackAccount } from "./config.ts";
import { failureOf } from "./failures.ts";
import { isSlackAddress } from "./slack-address.ts";

const MOST_REDIRECTS = 3;
const FIRST_BYTE_MS = 30_000;

const FileInfo = () =>
  z.object({
    file: z.object({
      url_private: z.string().optional(),
      url_private_download: z.string().optional(),
    }),
  });

type Download = (ref: string, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;

export function createDownload(account: SlackAccount, api: SlackApi, host: ChannelHost): Download {
  return async (ref, signal) => {
    const url = ref.startsWith("file:") ? await addressOf(ref.slice("file:".length), api) : ref;
    const response = await fetchFile(url, account, host, signal);
    const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
    // Without the right to read files Slack answers with its login page.
    if (isPage && !/\.html?($|\?)/.test(new URL(url).pathname)) {
      throw refused("Slack showed a login page instead of the file: the app needs the scope files:read");
    }
    return readCapped(response, account.maxMediaBytes);
  };
}

/** Files of other workspaces come without an address; it has to be asked for. */
async function addressOf(fileId: string, api: SlackApi): Promise<string> {
  const { file } = await api.get("files.info", { file: fileId }, FileInfo());
  const url = file.url_private_download ?? file.url_private;
  if (!url) throw refused(`the file ${fileId} cannot be downloaded`);
  return url;
}

async function fetchFile(
  start: string,
  account: SlackAccount,
  host: ChannelHost,
  signal: AbortSignal,
): Promise<Response> {
  let url = start;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    if (!isSlackAddress(url, account.apiRoot)) throw refused("the file does not lie with Slack");
    const response = await fetchOnce(url, account, host, signal);
    const next = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || !next) {
      if (response.ok) return response;
      await response.body?.cancel();
      throw refused(`Slack answered with HTTP status ${response.status}`);
    }
    await response.body?.cancel();
    url = new URL(next, url).href;
  }
  throw refused("Slack redirected too often");
}

async function fetchOnce(
  url: string,
  account: SlackAccount,
  host: ChannelHost,
  signal: AbortSignal,
): Promise<Response> {
  const slow = new AbortController();
  const cancel = host.clock.after(FIRST_BYTE_MS, () => slow.abort());
  try {
    return await host.fetch(url, {
      headers: { authorization: `Bearer ${account.botToken}` },
      redirect: "manual",
      signal: AbortSignal.any([signal, slow.signal]),
    });
  } catch (error) {
    throw new GatewayError("CHANNEL_OFFLINE", `Slack, the file could not be fetched (${failureOf(error).code})`);
  } finally {
    cancel();
  }
}

async function* readCapped(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw refused(`it is larger than ${Math.round(maxBytes / 1024 / 1024)} MB`);
    yield chunk;
  }
}

function refused(why: string): GatewayError {
  return new GatewayError("MEDIA_REFUSED", why);
}
