// The front of the room: takes requests, carries out what came of them, tries mappings, and tells which there are.
import type { ErrandRecord } from "@chela/sdk";
import type { HookAnswer, HookCall } from "./call.ts";
import { createHookErrands, type HookErrands, type Wake } from "./hook-errands.ts";
import { listWebhooks, type WebhookList } from "./list.ts";
import { createReceiver, type ReceiveParts } from "./receive.ts";
import { rehearse, type Trial, type TrialResult } from "./rehearse.ts";

export interface WebhookParts extends ReceiveParts {
  wake(event: Wake): Promise<void>;
  lastErrand(owner: string): Promise<ErrandRecord | undefined>;
  /** Of all mappings, newest first. */
  recentErrands(): Promise<readonly ErrandRecord[]>;
}

export interface Webhooks {
  /** Never rejects, except with what the call's own body reader throws. */
  receive(call: HookCall): Promise<HookAnswer>;
  readonly handler: HookErrands;
  list(): Promise<WebhookList>;
  /** Throws WEBHOOK_REQUEST when there is nothing to try. */
  test(trial: Trial): Promise<TrialResult>;
}

export function createWebhooks(parts: WebhookParts): Webhooks {
  const receive = createReceiver(parts);
  return {
    receive,
    handler: createHookErrands(parts),
    list: () => listWebhooks(parts.rules(), parts),
    test: (trial) => rehearse(trial, { ...parts, receive }),
  };
}
