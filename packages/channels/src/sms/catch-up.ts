// Fetches messages that did not reach us: Twilio keeps them, and calls only once for each.
import * as z from "zod";
import { once, type ChannelHost, type InboundMedia } from "@chela/sdk";
import { accountPath, type TwilioApi } from "./api.ts";
import type { SmsAccount } from "./config.ts";
import type { CallFailed } from "./failures.ts";
import type { Inbound } from "./inbound.ts";
import { asMedia, readListed, type ListedMessage } from "./parse.ts";

/** Everything before this time was taken. */
const CURSOR = "taken-up-to";
/** A list may lack what came a moment ago, and clocks differ. */
const OVERLAP_MS = 15 * 60 * 1000;
/** An answer after a week would surprise more than help. */
const FURTHEST_MS = 7 * 24 * 60 * 60 * 1000;
const PAGE_SIZE = 100;
const MOST_PAGES = 20;

interface CatchUpParts {
  readonly account: SmsAccount;
  readonly api: TwilioApi;
  readonly host: ChannelHost;
  readonly inbound: Inbound;
}

/** Oldest first. Undefined when all went well; rejects when a message could not be written down. */
export async function catchUp(parts: CatchUpParts, signal: AbortSignal): Promise<CallFailed | undefined> {
  const { host, inbound } = parts;
  const startedAt = host.clock.now();
  const cursor = Number(await host.recall(CURSOR));
  // What came before the account was set up was meant for somebody else.
  const listed = cursor
    ? await listMessages(parts, Math.max(cursor - OVERLAP_MS, startedAt - FURTHEST_MS), signal)
    : [];
  if (!Array.isArray(listed)) return listed;
  for (const message of listed.toReversed()) {
    if (signal.aborted) return undefined;
    if (inbound.has(message.sid)) continue;
    const media = message.hasMedia ? await listMedia(parts, message.sid, signal) : [];
    if (!Array.isArray(media)) return media;
    const parsed = message.parse(media);
    if (parsed.kind === "event") await inbound.take(parsed.event);
    else host.log.debug("a message was passed over", { why: parsed.why });
  }
  await host.remember(CURSOR, String(startedAt));
  return undefined;
}

const Page = once(() => z.object({ messages: z.array(z.unknown()), next_page_uri: z.string().nullish() }));

/** Newest first, as Twilio gives them out. */
async function listMessages(
  { account, api, host }: CatchUpParts,
  since: number,
  signal: AbortSignal,
): Promise<ListedMessage[] | CallFailed> {
  const found: ListedMessage[] = [];
  const query = new URLSearchParams({ "DateSent>": toSeconds(since), PageSize: String(PAGE_SIZE) });
  if (account.from && !account.messagingServiceSid) query.set("To", account.from);
  let next: string | undefined = `/Messages.json?${query}`;
  for (let pages = 0; next !== undefined; pages++) {
    if (pages === MOST_PAGES) {
      host.log.warn("too many messages were missed; the oldest of them are left alone");
      break;
    }
    const called = await api.get(next, signal);
    if (called.kind === "failed") return called;
    const page = Page().safeParse(called.result).data;
    const messages = (page?.messages ?? []).flatMap((raw) => readListed(raw, account) ?? []);
    found.push(...messages.filter(({ at }) => at >= since));
    next = pathBelow(account, page?.next_page_uri);
  }
  return found;
}

function toSeconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

function pathBelow(account: SmsAccount, uri: string | null | undefined): string | undefined {
  const base = accountPath(account);
  return uri?.startsWith(`${base}/`) ? uri.slice(base.length) : undefined;
}

const MediaList = once(() =>
  z.object({ media_list: z.array(z.object({ uri: z.string(), content_type: z.string().nullish() })) }),
);

/** With the addresses a request would have named. */
async function listMedia(
  { account, api }: CatchUpParts,
  sid: string,
  signal: AbortSignal,
): Promise<InboundMedia[] | CallFailed> {
  const called = await api.get(`/Messages/${encodeURIComponent(sid)}/Media.json`, signal);
  if (called.kind === "failed") return called;
  return (MediaList().safeParse(called.result).data?.media_list ?? []).flatMap(
    ({ uri, content_type }) => asMedia(`${account.apiRoot}${uri.replace(/\.json$/, "")}`, content_type ?? "") ?? [],
  );
}
