// Checks what fits together in a job, before anything of it is kept.
import { agentOfSessionKey, CronJobWishes, GatewayError } from "@chela/sdk";
import { explainIssues } from "@chela/sdk/protocol";
import type { Loose } from "./loose.ts";

export function checkJob(candidate: Loose): CronJobWishes {
  const parsed = CronJobWishes().safeParse(candidate);
  if (!parsed.success) throw new GatewayError("CRON_JOB", explainIssues(parsed.error.issues, candidate));
  const problem = findProblem(parsed.data);
  if (problem) throw new GatewayError("CRON_JOB", problem);
  return parsed.data;
}

function findProblem(wishes: CronJobWishes): string | undefined {
  const { agentId, sessionTarget, payload, delivery, failureAlert } = wishes;
  const isNamed = sessionTarget.startsWith("session:");
  const owner = agentOfSessionKey(sessionTarget.slice("session:".length));
  if (isNamed && payload.kind !== "agentTurn") {
    return `sessionTarget is "${sessionTarget}", which takes a payload of kind agentTurn, not ${payload.kind}. Use ${payload.kind === "exec" ? 'sessionTarget "isolated"' : 'sessionTarget "main"'}, or an agentTurn with a message`;
  }
  if (isNamed && agentId !== undefined && owner !== undefined && owner !== agentId) {
    return `sessionTarget is "${sessionTarget}", a conversation of agent ${owner}, but the job belongs to agent ${agentId}. Name a conversation of ${agentId}, or leave agentId out`;
  }
  if (sessionTarget === "main" && payload.kind !== "systemEvent") {
    return `sessionTarget is "main", which takes a payload of kind systemEvent, not ${payload.kind}. Use sessionTarget "isolated", or a systemEvent with a text`;
  }
  if (sessionTarget === "isolated" && payload.kind === "systemEvent") {
    return `sessionTarget is "isolated", which takes a payload of kind agentTurn or exec, not systemEvent. Use sessionTarget "main", or an agentTurn with a message`;
  }
  if (sessionTarget === "main" && delivery?.mode === "announce") {
    return `delivery.mode is "announce", but a job of the main conversation is answered there. Allowed are none and webhook; use sessionTarget "isolated" to send the result to a chat`;
  }
  return (
    findWebhookProblem("delivery", delivery) ??
    findWebhookProblem("delivery.failureDestination", delivery?.failureDestination) ??
    findWebhookProblem("failureAlert", failureAlert || undefined)
  );
}

interface Destination {
  readonly mode?: string | undefined;
  readonly to?: string | undefined;
}

function findWebhookProblem(place: string, destination: Destination | undefined): string | undefined {
  if (destination?.mode !== "webhook") return undefined;
  const to = destination.to ?? "";
  if (/^https?:$/.test(URL.parse(to)?.protocol ?? "")) return undefined;
  return `${place}.to is "${to}", but mode "webhook" needs an address that begins with http:// or https://`;
}
