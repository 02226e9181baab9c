// The front of the room: takes requests, carries out what came of them, tries mappings, and tells which there are.
import type { HookAnswer, HookCall } from "./call.ts";
import { createHookErrands, type HookErrands } from "./hook-errands.ts";
import { listWebhooks, type WebhookList } from "./list.ts";
import { createReceiver, type WebhookParts, type WebhooksHouse } from "./receive.ts";
import { rehearse, type Trial, type TrialResult } from "./rehearse.ts";

export interface Webhooks {
  /** Never rejects, except with what the call's own body reader throws. */
  receive(call: HookCall): Promise<HookAnswer>;
  readonly handler: HookErrands;
  list(): Promise<WebhookList>;
  /** Throws WEBHOOK_REQUEST when there is nothing to try. */
  test(trial: Trial): Promise<TrialResult>;
}

export function createWebhooks(house: WebhooksHouse, parts: WebhookParts): Webhooks {
  const receive = createReceiver(house, parts);
  return {
    receive,
    handler: createHookErrands(house),
    list: () => listWebhooks(parts.rules(), house),
    test: (trial) => rehearse(trial, house, { ...parts, receive }),
  };
}
