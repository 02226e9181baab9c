// Reads the trace of a turn back. Other versions may have noted something else: what cannot be read is left out.
import * as z from "zod";
import { once, type RunRecord } from "@chela/sdk";

const Prompt = () =>
  z.object({
    systemChars: z.number().optional(),
    fileChars: z.number().optional(),
    toolChars: z.number().optional(),
    messages: z.number().optional(),
    tokens: z.object({ system: z.number(), tools: z.number(), history: z.number(), message: z.number() }).optional(),
  });

const Usage = () =>
  z.object({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    cost: z.number().optional(),
  });

const Attempt = () =>
  z.object({
    provider: z.string(),
    model: z.string(),
    profileId: z.string().optional(),
    startedAt: z.int(),
    firstTokenAt: z.int().optional(),
    endedAt: z.int(),
    usage: Usage().optional(),
    wasStopped: z.boolean().optional(),
    failure: z.object({ reason: z.string(), message: z.string(), status: z.int().optional() }).optional(),
    next: z.enum(["retry", "next-profile", "next-model", "wait", "compact", "give-up"]).optional(),
  });

const CallTimes = () =>
  z.object({
    toolCallId: z.string(),
    startedAt: z.int(),
    endedAt: z.int().optional(),
    askedAt: z.int().optional(),
    settledAt: z.int().optional(),
  });

const Trace = once(() =>
  z.object({
    route: z.object({ matchedBy: z.string().optional() }).optional().catch(undefined),
    prompt: Prompt().optional().catch(undefined),
    attempts: z.array(Attempt()).catch([]).default([]),
    calls: z.array(CallTimes()).catch([]).default([]),
    cost: z.number().optional().catch(undefined),
    compactions: z.int().optional().catch(undefined),
    notes: z.array(z.string()).optional().catch(undefined),
  }),
);

export type ReadTrace = z.output<ReturnType<typeof Trace>>;

export function readTrace({ outcome }: Pick<RunRecord, "outcome">): ReadTrace {
  return Trace().parse(outcome?.trace ?? {});
}
