// The small REST API for scripts: how the gateway is, which sessions there are, a message to a chat.
import * as z from "zod";
import { once, type HolderCall } from "@chela/sdk";
import { explainIssues } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { HttpError, readBody, sendJson } from "../../base/http/request.ts";

const MAX_BODY_BYTES = 1024 * 1024;
const SESSIONS_A_PAGE = 50;
const MOST_SESSIONS = 500;

export async function readStatus({ response, callMethod }: HolderCall, gateway: House): Promise<void> {
  const status = await callMethod("status", {});
  const { model } = await gateway.models.defaultModel();
  sendJson(response, 200, {
    ok: true,
    version: gateway.version,
    uptimeMs: gateway.clock.now() - gateway.startedAt,
    model: `${model.provider}/${model.id}`,
    agents: status.sessions.byAgent.map(({ agentId, count }) => ({ id: agentId, sessions: count })),
    sessions: status.sessions.count,
    channels: status.channelSummary,
    undeliverable: status.deliveries.undeliverable,
  });
}

const SessionQuery = once(() =>
  z.strictObject({
    agent: z.string().min(1).optional(),
    channel: z.string().min(1).optional(),
    search: z.string().min(1).optional(),
    limit: z.coerce.number().int().min(1).max(MOST_SESSIONS).default(SESSIONS_A_PAGE),
    offset: z.coerce.number().int().min(0).default(0),
  }),
);

export async function listSessions({ response, url, callMethod }: HolderCall): Promise<void> {
  const asked = readQuery(url, SessionQuery());
  const { agent, channel, search, limit, offset } = asked;
  const found = await callMethod("sessions.list", {
    ...(agent ? { agentId: agent } : {}),
    ...(channel ? { channel } : {}),
    ...(search ? { search } : {}),
    limit,
    offset,
    includeDerivedTitles: true,
  });
  const sessions = found.sessions.map((row) => ({
    key: row.key,
    id: row.sessionId,
    kind: row.kind,
    title: row.label ?? row.displayName ?? row.derivedTitle,
    channel: row.channel,
    model: row.model,
    tokens: row.totalTokens,
    updatedAt:
      row.updatedAt === null || row.updatedAt === undefined ? undefined : new Date(row.updatedAt).toISOString(),
  }));
  sendJson(response, 200, { total: found.total, offset, sessions });
}

const Message = once(() =>
  z.strictObject({
    channel: z.string().min(1),
    to: z.string().min(1),
    text: z.string().min(1),
    account: z.string().min(1).optional(),
    thread: z.string().min(1).optional(),
    id: z.string().min(1).max(256).optional(),
  }),
);

/** Sends once for each `id`: a script that got no answer asks again with the same one. */
export async function sendMessage({ request, response, callMethod }: HolderCall, gateway: House): Promise<void> {
  const { channel, to, text, account, thread, id } = await readBody(request, MAX_BODY_BYTES, Message());
  const idempotencyKey = id ?? `api-${gateway.ids.uuid()}`;
  const sent = await callMethod("send", {
    channel,
    to,
    message: text,
    idempotencyKey,
    ...(account ? { accountId: account } : {}),
    ...(thread ? { threadId: thread } : {}),
  });
  sendJson(response, 200, { id: idempotencyKey, channel: sent.channel, messageId: sent.messageId });
}

export function readQuery<S extends z.ZodType>(url: URL, schema: S): z.output<S> {
  const written = Object.fromEntries(url.searchParams);
  const parsed = schema.safeParse(written);
  if (parsed.success) return parsed.data;
  throw new HttpError(400, "invalid_request_error", explainIssues(parsed.error.issues, written));
}
