// GET /sessions/<key>/history and POST /sessions/<key>/kill: one conversation, for programs made for OpenClaw.
import * as z from "zod";
import { MAX_BUFFERED_BYTES } from "@chela/sdk/protocol";
import { once, type HolderCall, type HttpCall, type SessionEntry, canonicalSessionKey } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { historyMessages, numberedPath } from "../methods/chat-history.ts";
import { readQuery } from "./api.ts";
import { decodePart, HttpError, readRawBody, sendJson } from "../../base/http/request.ts";

const MESSAGES_A_PAGE = 200;
const MOST_MESSAGES = 1000;
const MAX_BODY_BYTES = 64 * 1024;
const SIGN_OF_LIFE_MS = 15_000;
/** So many entries of a transcript are read for each message that is shown: some are not for people. */
const ENTRIES_PER_MESSAGE = 4;

const HistoryQuery = once(() =>
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(MOST_MESSAGES).default(MESSAGES_A_PAGE),
    /** How many of the newest are passed over, as `nextCursor` says. */
    cursor: z.coerce.number().int().min(0).default(0),
    includeTools: z.enum(["0", "1"]).default("0"),
    follow: z.enum(["0", "1"]).default("0"),
  }),
);
type HistoryQuestion = z.output<ReturnType<typeof HistoryQuery>>;
type Message = ReturnType<typeof historyMessages>[number];

export async function readHistory(call: HttpCall, gateway: House): Promise<void> {
  const { key, entry } = await knownSession(call, gateway);
  const asked = readQuery(call.url, HistoryQuery());
  const page = await pageOf(entry.sessionId, asked, gateway);
  const body = { sessionKey: key, sessionId: entry.sessionId, ...page };
  if (asked.follow === "1") return followHistory(call, gateway, { key, asked, body });
  sendJson(call.response, 200, body);
}

export async function killSession(call: HolderCall, gateway: House): Promise<void> {
  // Nothing in it is asked for, and nothing without an end is taken.
  await readRawBody(call.request, MAX_BODY_BYTES);
  const { key } = await knownSession(call, gateway);
  const { aborted } = await call.callMethod("chat.abort", { sessionKey: key });
  sendJson(call.response, 200, { ok: true, killed: aborted });
}

async function pageOf(sessionId: string, asked: HistoryQuestion, gateway: House) {
  const { limit, cursor, includeTools } = asked;
  const wanted = cursor + limit;
  const path = await numberedPath(gateway, sessionId, (wanted + 1) * ENTRIES_PER_MESSAGE);
  const all = historyMessages(path, path.length).filter(({ role }) => includeTools === "1" || role !== "toolResult");
  const messages = all.slice(Math.max(0, all.length - wanted), all.length - cursor);
  const hasMore = all.length > wanted;
  return { items: messages, messages, hasMore, ...(hasMore ? { nextCursor: String(wanted) } : {}) };
}

interface Following {
  readonly key: string;
  readonly asked: HistoryQuestion;
  readonly body: { readonly messages: readonly Message[] };
}

/** What is there, and from then on each message as it is committed, until the other side leaves. */
function followHistory({ response }: HttpCall, gateway: House, { key, asked, body }: Following): void {
  const send = (event: string, data: unknown): void => {
    // What nobody reads is not kept for ever.
    if (response.writableLength > MAX_BUFFERED_BYTES) return void response.destroy();
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  let last = idOf(body.messages.at(-1));
  let telling = Promise.resolve();
  const tellNew = async (): Promise<void> => {
    const entry = await gateway.ledger.session(key);
    if (!entry || response.writableEnded) return;
    const { messages } = await pageOf(entry.sessionId, { ...asked, cursor: 0 }, gateway);
    const from = messages.findLastIndex((message) => idOf(message) === last);
    for (const message of messages.slice(from + 1)) send("message", { sessionKey: key, message });
    last = idOf(messages.at(-1));
  };
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  send("history", body);
  const leave = gateway.ledger.onCommit(({ sessionIds, sessionKeys }) => {
    if (sessionIds.length === 0 && !sessionKeys.includes(key)) return;
    telling = telling.then(tellNew).catch((error: unknown) => {
      gateway.log.warn("a history that is followed could not be read", { session: key, error: String(error) });
    });
  });
  let stopSign = gateway.clock.after(SIGN_OF_LIFE_MS, function sign(): void {
    response.write(": still here\n\n");
    stopSign = gateway.clock.after(SIGN_OF_LIFE_MS, sign);
  });
  response.once("close", () => {
    leave();
    stopSign();
  });
}

function idOf(message: Message | undefined): unknown {
  return (message?.["__openclaw"] as { id?: unknown } | undefined)?.id;
}

async function knownSession({ url }: HttpCall, { ledger, keys }: House): Promise<{ key: string; entry: SessionEntry }> {
  const written = decodePart(url.pathname.split("/")[2] ?? "");
  const key = canonicalSessionKey(written, keys());
  if (!key) throw new HttpError(400, "invalid_request_error", `malformed session key "${written}"`);
  const entry = await ledger.session(key);
  if (!entry) throw new HttpError(404, "not_found", `Session not found: ${written}`);
  return { key, entry };
}
