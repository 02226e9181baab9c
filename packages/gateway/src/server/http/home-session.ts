// The home session: the main conversation as pairs of what was said and what was answered, for scripts.
import * as z from "zod";
import { once, type RunRecord } from "@chela/sdk";
import { explainIssues } from "@chela/sdk/protocol";
import { mainSessionKey } from "../../routing/room.ts";
import type { GatewayParts } from "../gateway-parts.ts";
import { HttpError, readJson, sendJson } from "./request.ts";
import type { HttpCall } from "./router.ts";

const MOST_PAIRS = 200;
const MAX_BODY_BYTES = 1024 * 1024;

const Body = once(() => z.strictObject({ text: z.string().min(1), id: z.string().min(1).max(256).optional() }));

export function homeSessionKey(gateway: GatewayParts): string {
  const keys = gateway.keys();
  return mainSessionKey(keys.defaultAgentId, keys);
}

export async function readHome({ response }: HttpCall, gateway: GatewayParts): Promise<void> {
  const runs = await gateway.ledger.exchanges(homeSessionKey(gateway), MOST_PAIRS);
  const messages = runs.map((run, index) => toPair(run, index + 1));
  const first = runs[0]?.message.admittedAt ?? gateway.startedAt;
  const last = runs.at(-1)?.endedAt ?? first;
  sendJson(response, 200, { id: "home", created_at: iso(first), updated_at: iso(last), messages });
}

/** Says something in the home session; answers with the finished pair. A repeated `id` gives the same pair. */
export async function sayAtHome({ request, response }: HttpCall, gateway: GatewayParts): Promise<void> {
  const raw = await readJson(request, MAX_BODY_BYTES);
  const parsed = Body().safeParse(raw);
  if (!parsed.success) throw new HttpError(400, "invalid_request_error", explainIssues(parsed.error.issues, raw));
  const runId = parsed.data.id ?? `home-${gateway.ids.uuid()}`;
  const outcome = await gateway.inbound.receive({
    runId,
    channel: "webchat",
    account: "default",
    messageId: `home:${runId}`,
    sender: {
      kind: "operator",
      scopes: ["operator.write"],
    },
    sessionKey: homeSessionKey(gateway),
    body: {
      text: parsed.data.text,
      client: {
        id: "cli",
        mode: "cli",
      },
    },
  });
  if (outcome.kind === "refused") throw new HttpError(400, "invalid_request_error", outcome.why);
  if (outcome.kind === "stopped") return sendJson(response, 200, { id: runId, stopped: outcome.runIds });
  await outcome.done;
  const run = await gateway.ledger.run(runId);
  if (!run?.outcome) throw new HttpError(503, "unavailable", "The message is safe; its answer will follow.");
  const failed = run.outcome.status === "error";
  sendJson(response, failed ? 502 : 200, {
    ...toPair(run, 0),
    id: runId,
    ...(failed ? { error: run.outcome.error } : {}),
  });
}

function toPair(run: RunRecord, number: number) {
  const { body, channel, admittedAt } = run.message;
  return {
    id: String(number),
    user_text: String(body["text"] ?? ""),
    bot_text: run.outcome?.texts.join("\n\n") ?? "",
    // Operator clients of every kind are the "cli" of this view.
    channel: channel === "webchat" ? "cli" : channel,
    sent_at: iso(admittedAt),
    replied_at: iso(run.endedAt ?? admittedAt),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
