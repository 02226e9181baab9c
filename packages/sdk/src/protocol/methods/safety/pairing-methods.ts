// People who wrote to the bot and wait to be let in.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { NonEmpty } from "../../frames.ts";
import { flag, text, type MethodSpec } from "../method-spec.ts";

const code = () => ({ channel: NonEmpty(), code: NonEmpty().max(64), accountId: NonEmpty().optional() });

export const PAIRING_METHODS = {
  "pairing.list": {
    role: "operator",
    scope: "operator.pairing",
    offline: "look",
    says: "Who wrote to a channel and waits to be let in, oldest first",
    params: once(() => z.strictObject({ channel: NonEmpty().optional(), accountId: NonEmpty().optional() })),
    result: once(() =>
      z.object({
        requests: z.array(
          z.object({
            channel: z.string(),
            accountId: z.string(),
            id: z.string(),
            code: z.string(),
            createdAt: z.string(),
            lastSeenAt: z.string(),
            meta: z.record(z.string(), z.string()),
          }),
        ),
      }),
    ),
  },
  "pairing.approve": {
    role: "operator",
    scope: "operator.pairing",
    offline: "note",
    says: "Lets the person with this code in; `notify` tells them",
    params: once(() => z.strictObject({ ...code(), notify: flag() })),
    result: once(() =>
      z.object({
        channel: z.string(),
        accountId: z.string(),
        id: z.string(),
        isOwner: z.boolean(),
        notified: z.boolean(),
        note: text(),
      }),
    ),
  },
  "pairing.reject": {
    role: "operator",
    scope: "operator.pairing",
    offline: "note",
    says: "Forgets the request with this code; the person may ask again",
    params: once(() => z.strictObject(code())),
    result: once(() => z.object({ channel: z.string(), accountId: z.string(), id: z.string() })),
  },
} as const satisfies Record<string, MethodSpec>;
