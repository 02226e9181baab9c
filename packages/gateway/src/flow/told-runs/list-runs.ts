// A run as a row of a list.
import * as z from "zod";
import { once, type RunSummary } from "@chela/sdk";
import type { MethodResult } from "@chela/sdk/protocol";
import { defined, redactSecrets } from "@chela/sdk/base";
import { readTrace } from "./read-trace.ts";

type RunRow = MethodResult<"runs.list">["runs"][number];

const PREVIEW_CHARS = 120;

/** The model that answered, and what was counted, as outcomes hold it. */
const Meta = once(() =>
  z.object({
    agentMeta: z.object({
      provider: z.string(),
      model: z.string(),
      usage: z.object({ total: z.number() }).optional(),
    }),
  }),
);

/** Keys that were typed into a message are nobody's business. */
function previewOf(text: string): string {
  return redactSecrets(text).slice(0, PREVIEW_CHARS);
}

export function toRunRow(run: RunSummary): RunRow {
  const { runId, sessionKey, agentId, channel, state, admittedAt, startedAt, endedAt, outcome } = run;
  const { agentMeta } = Meta().safeParse(outcome?.meta).data ?? {};
  const { cost } = readTrace(run);
  return {
    runId,
    sessionKey,
    agentId,
    channel,
    state,
    ...(outcome ? { status: outcome.status } : {}),
    receivedAt: admittedAt,
    ...defined({ startedAt, endedAt }),
    preview: previewOf(run.text),
    ...(outcome?.error ? { error: outcome.error } : {}),
    ...(agentMeta ? { model: `${agentMeta.provider}/${agentMeta.model}` } : {}),
    ...defined({ cost }),
    ...(agentMeta?.usage ? { tokens: agentMeta.usage.total } : {}),
  };
}
