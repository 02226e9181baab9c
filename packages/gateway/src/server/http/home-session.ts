// The home session: the main conversation as pairs of what was said and what was answered, for scripts.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import { once, mainSessionKey } from "@chela/sdk";
import { readHomeSession, toHomePair } from "../../rooms/ledger/room.ts";
import type { House } from "../../house/house.ts";
import { scopesOfHolder } from "./method-route.ts";
import { HttpError, readBody, sendJson } from "../../base/http/request.ts";
import type { HttpCall } from "@chela/sdk";

const MAX_BODY_BYTES = 1024 * 1024;

const Body = once(() => z.strictObject({ text: z.string().min(1), id: z.string().min(1).max(256).optional() }));

export function homeSessionKey(gateway: House): string {
  const keys = gateway.keys();
  return mainSessionKey(keys.defaultAgentId, keys);
}

const Page = once(() =>
  z.object({
    limit: z.coerce.number().int().min(1).max(1000).optional(),
    before: z.string().regex(/^\d+$/, { error: "before is the id of a message" }).optional(),
  }),
);

/** The newest messages; `?before=<id>` those before it, `?limit=` how many. */
export async function readHome({ response, url }: HttpCall, gateway: House): Promise<void> {
  const page = Page().safeParse(Object.fromEntries(url.searchParams));
  if (!page.success) throw new HttpError(400, "invalid_request_error", z.prettifyError(page.error));
  const at = new Date(gateway.clock.now()).toISOString();
  const empty = { id: "home", created_at: at, updated_at: at, messages: [] };
  const { limit, before } = page.data;
  const wanted = { ...defined({ limit, before }) };
  sendJson(response, 200, (await readHomeSession(gateway.ledger, homeSessionKey(gateway), wanted)) ?? empty);
}

/** Says something in the home session; answers with the finished pair. A repeated `id` gives the same pair. */
export async function sayAtHome({ request, response, client }: HttpCall, gateway: House): Promise<void> {
  const { text, id } = await readBody(request, MAX_BODY_BYTES, Body());
  const runId = id ?? `home-${gateway.ids.uuid()}`;
  const outcome = await gateway.inbound.receive({
    door: "client",
    runId,
    channel: "webchat",
    account: "default",
    messageId: `home:${runId}`,
    sender: {
      kind: "operator",
      // The holder of the secret on this machine is the owner, here as on the page.
      scopes: scopesOfHolder(client),
    },
    sessionKey: homeSessionKey(gateway),
    body: {
      text,
      client: {
        id: "cli",
        mode: "cli",
      },
    },
  });
  if (outcome.kind === "refused") throw new HttpError(400, "invalid_request_error", outcome.why);
  if (outcome.kind === "stopped") return sendJson(response, 200, { id: runId, stopped: outcome.runIds });
  if (outcome.kind === "ignored") return sendJson(response, 200, { id: runId });
  await outcome.done;
  const run = await gateway.ledger.run(runId);
  const [pair] = run ? toHomePair(run) : [];
  if (!pair) throw new HttpError(503, "unavailable", "The message is safe; its answer will follow.");
  sendJson(response, pair.error === undefined ? 200 : 502, { id: runId, ...pair });
}
