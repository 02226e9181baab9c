// Runs and heartbeats, looked at afterwards.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, type MethodSpec } from "./method-spec.ts";

export const RUN_METHODS = {
  "runs.explain": {
    role: "operator",
    scope: "operator.read",
    says: "How a turn came about: route, prompt, models, tools, cost and delivery; by run or message id",
    params: once(() => z.strictObject({ id: NonEmpty().max(512) })),
    result: once(() =>
      z.looseObject({
        runId: z.string(),
        sessionKey: z.string(),
        state: z.enum(["queued", "running", "done"]),
        tools: z.array(z.looseObject({ name: z.string() })),
        usage: z.array(z.looseObject({ model: z.string(), cost: z.number() })),
        delivery: z.array(z.looseObject({ channel: z.string(), state: z.string() })),
      }),
    ),
  },
  "last-heartbeat": {
    role: "operator",
    scope: "operator.read",
    says: "What the last heartbeat did, or null",
    params: empty,
    result: once(() => z.looseObject({}).nullable()),
  },
} as const satisfies Record<string, MethodSpec>;
