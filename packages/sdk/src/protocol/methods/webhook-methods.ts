// Methods for webhooks: what other programs may send over HTTP, and trials of it.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, flag, text, type MethodSpec } from "./method-spec.ts";

/** A request that was taken: being carried out and being delivered are two things. */
const request = () => ({
  runId: z.string(),
  at: z.number(),
  state: z.string(),
  status: text(),
  delivered: text(),
});

const Webhook = () =>
  z.object({
    id: z.string(),
    /** "own": the paths wake and agent, which are always there. */
    origin: z.enum(["own", "mapping", "preset"]),
    name: z.string(),
    /** Absent: any path. */
    path: text(),
    source: text(),
    preset: text(),
    action: z.enum(["agent", "wake"]).optional(),
    opensWith: z.enum(["token", "signature"]).optional(),
    /** The way in which requests are signed. */
    signature: text(),
    agentId: text(),
    sessionKey: text(),
    deliver: flag(),
    channel: text(),
    to: text(),
    model: text(),
    hasTransform: flag(),
    /** Why nobody can send anything to it. */
    absent: text(),
    last: z.object(request()).optional(),
  });

const RecentRequest = () =>
  z.object({
    ...request(),
    /** The id of the webhook that took it. */
    webhook: z.string(),
    sessionKey: z.string(),
    error: text(),
  });

/** Where the answer would go. */
const Delivery = () =>
  z.object({
    mode: z.enum(["chat", "webhook", "session", "nowhere"]),
    channel: text(),
    account: text(),
    to: text(),
    threadId: text(),
    url: text(),
    sessionKey: text(),
    why: text(),
    bestEffort: flag(),
  });

export const WEBHOOK_METHODS = {
  "webhooks.list": {
    role: "operator",
    scope: "operator.read",
    says: "The webhooks there are: path, how each is opened, what it does, what came last, and why one is not there",
    params: empty,
    result: once(() =>
      z.object({
        enabled: z.boolean(),
        path: z.string(),
        /** Sentences about what keeps webhooks from coming in. */
        problems: z.array(z.string()),
        webhooks: z.array(Webhook()),
        /** The newest first. */
        recent: z.array(RecentRequest()),
      }),
    ),
  },
  "webhooks.test": {
    role: "operator",
    scope: "operator.admin",
    says: "Tries a webhook without any effect; `send` signs the request as its sender would and lets it in",
    params: once(() =>
      z.strictObject({
        /** A mapping's id, or what stands behind hooks.path. */
        hook: NonEmpty().max(512),
        /** As its sender would send it; a sample when absent. */
        body: z.string().max(1_048_576).optional(),
        headers: z.record(z.string().max(200), z.string().max(8192)).optional(),
        send: flag(),
      }),
    ),
    result: once(() =>
      z.object({
        path: z.string(),
        mapping: text(),
        proof: z.object({
          kind: z.enum(["token", "signature"]),
          type: text(),
          verdict: z.enum(["needed", "valid", "invalid", "computed"]),
          why: text(),
        }),
        outcome: z.enum(["agent", "wake", "greeting", "dropped", "refused", "failed", "not-found"]),
        why: text(),
        name: text(),
        agentId: text(),
        sessionKey: text(),
        /** What the agent would be told. */
        text: text(),
        wakeMode: z.enum(["now", "next-heartbeat"]).optional(),
        model: text(),
        delivery: Delivery().optional(),
        runId: text(),
        /** What the door answered, when it was really sent. */
        answer: z.object({ status: z.int(), body: z.string() }).optional(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
