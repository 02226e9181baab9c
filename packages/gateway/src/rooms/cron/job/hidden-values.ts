// Values of a command's environment are often secrets: they can be written, and are never shown.
import { GatewayError, type CronJob } from "@chela/sdk";
import { asLoose, type Loose } from "./loose.ts";

/** Stands for a value in what is shown; who writes it means the value that is there. */
const HIDDEN = "__OPENCLAW_REDACTED__";

export function hideValues(job: CronJob): CronJob {
  const { payload } = job;
  if (payload.kind !== "exec" || !payload.env) return job;
  const env = Object.fromEntries(Object.keys(payload.env).map((name) => [name, HIDDEN]));
  return { ...job, payload: { ...payload, env } };
}

/** A payload somebody was shown and sends back, with the values that were hidden from them. */
export function restoreValues(payload: Loose, before?: CronJob["payload"]): Loose {
  const env = asLoose(payload["env"]);
  if (!env) return payload;
  const known = before?.kind === "exec" ? (before.env ?? {}) : {};
  const entries = Object.entries(env).map(([name, value]) => [name, value === HIDDEN ? valueOf(name, known) : value]);
  return { ...payload, env: Object.fromEntries(entries) };
}

function valueOf(name: string, known: Readonly<Record<string, string>>): string {
  const value = known[name];
  if (value !== undefined) return value;
  throw new GatewayError(
    "CRON_JOB",
    `payload.env.${name} is ${HIDDEN}, which stands for a value that is not there. Write the value`,
  );
}
