// The door to webhooks, which are loaded with the first request, or with an errand of an earlier one.
import type { AutomationParts, AutomationTools } from "./join-automation.ts";
import type { WebhookSide } from "./join-webhooks.ts";
import { opened } from "../opened.ts";

export function createWebhookBell(parts: AutomationParts, tools: AutomationTools): () => Promise<WebhookSide> {
  const { open } = opened(async () => (await import("./join-webhooks.ts")).joinWebhooks(parts, tools));
  tools.errands.keep("hook", {
    carryOut: async (errand, how) => (await open()).keeper.carryOut(errand, how),
    // Its turn goes on where it was, and a word to an agent is told once.
    afterCrash: async () => "again",
    settling: async (errand) => (await open()).keeper.settling(errand),
  });
  return open;
}
