// Tools for sub-agents; they answer as JSON, so that what sub-agents said is data.
import { defined } from "@chela/sdk/base";
import type { ToolContext, ToolOutput } from "@chela/sdk";
import { neutralizeExternal } from "../../base/text/external-content.ts";
import { showDuration } from "./announce-text.ts";
import { refused, type Refused, type SubagentView } from "./parts.ts";
import type { Asking } from "./read-wishes.ts";
import type { Subagents } from "./subagents.ts";
import type { ManageArguments, SpawnArguments } from "./tools.ts";

const RECENT_MINUTES = 30;
const WAIT_SECONDS = 300;
const LONGEST_RESULT = 20_000;
const TASK_CHARS = 200;

export async function spawnSubagent(
  args: SpawnArguments,
  subagents: Subagents,
  context: ToolContext,
): Promise<ToolOutput> {
  const spawned = await subagents.spawn(askingOf(context), args);
  if (spawned.kind === "refused") return asRefusal(spawned);
  return asJson({
    status: "accepted",
    childSessionKey: spawned.sessionKey,
    runId: spawned.runId,
    mode: "run",
    ...(spawned.hasOwnModel ? { modelApplied: true } : {}),
    note: spawned.isOld
      ? "This one was started before; it is not started twice."
      : "Its result will come to you as a message. Do not look for it again and again; if you need it in this turn, use subagents with the action wait.",
  });
}

export async function manageSubagents(
  args: ManageArguments,
  subagents: Subagents,
  context: ToolContext,
): Promise<ToolOutput> {
  const { target = "" } = args;
  switch (args.action ?? "list") {
    case "list": {
      const { recentMinutes = RECENT_MINUTES } = args;
      const all = await subagents.list(context.sessionKey, { recentMinutes });
      const numbers = await numbersOf(subagents, context.sessionKey);
      return asJson({
        status: "ok",
        subagents: all.map((child) => ({ ...numbers.get(child.runId), ...shown(child) })),
      });
    }
    case "kill": {
      const killed = await subagents.kill(context.sessionKey, target, context.requester);
      return killed.kind === "refused"
        ? asRefusal(killed)
        : asJson({ status: "ok", killed: killed.children.map(shown) });
    }
    case "steer": {
      const steered = await subagents.steer(askingOf(context), target, args.message ?? "");
      if (steered.kind === "refused") return asRefusal(steered);
      const { kind, runId, child } = steered;
      return asJson({ status: "accepted", mode: kind, runId, childSessionKey: child.sessionKey });
    }
    case "wait":
      return wait(args, subagents, context);
  }
}

/** A number means the same one whatever else is listed beside it. */
async function numbersOf(subagents: Subagents, sessionKey: string): Promise<Map<string, { readonly "#": number }>> {
  const counted = await subagents.list(sessionKey, { recentMinutes: RECENT_MINUTES });
  return new Map(counted.map(({ runId }, at) => [runId, { "#": at + 1 }]));
}

async function wait(
  { target, targets, timeoutSeconds = WAIT_SECONDS }: ManageArguments,
  subagents: Subagents,
  context: ToolContext,
): Promise<ToolOutput> {
  const named = [...(targets ?? []), ...(target ? [target] : [])];
  if (named.some((one) => one.trim() === "")) return asRefusal(refused("Leave targets out to wait for all."));
  const { sessionKey, runId, toolCallId, signal } = context;
  const limits = { timeoutMs: timeoutSeconds * 1000, signal };
  // "all" would leave out those that are done and not yet reported.
  const isAll = named.some((one) => one.trim().toLowerCase() === "all");
  const waited = await subagents.wait({ sessionKey, runId, toolCallId }, isAll ? [] : named, limits);
  if (waited.kind === "refused") return asRefusal(waited);
  const { done, open } = waited;
  return asJson({
    status: open.length > 0 ? "timeout" : "ok",
    results: done.map((child) => ({ ...shown(child), result: cut(child.result ?? "") })),
    ...(open.length > 0 ? { stillRunning: open.map(shown) } : {}),
    ...(done.length + open.length === 0
      ? { note: "None of your sub-agents is at work, and all results were told." }
      : {}),
  });
}

function askingOf(context: ToolContext): Asking {
  const { agentId, sessionKey, runId, toolCallId, requester, offered = [] } = context;
  return { agentId, sessionKey, runId, toolCallId, requester, tools: offered };
}

function shown(child: SubagentView): Record<string, unknown> {
  const { runId, sessionKey, agentId, label, task, state, outcome, reason, error, runtimeMs, tokens } = child;
  return {
    runId,
    sessionKey,
    agentId,
    ...(label ? { label } : {}),
    task: task.length > TASK_CHARS ? `${task.slice(0, TASK_CHARS)}…` : task,
    state,
    ...(outcome ? { outcome } : {}),
    ...(reason ? { reason } : {}),
    ...(error ? { error } : {}),
    runtime: showDuration(runtimeMs),
    ...defined({ tokens }),
  };
}

function cut(text: string): string {
  const plain = neutralizeExternal(text);
  return plain.length > LONGEST_RESULT ? `${plain.slice(0, LONGEST_RESULT)}… (cut)` : plain;
}

function asRefusal({ status, why }: Refused): ToolOutput {
  return { ...asJson({ status, error: why }), isError: true };
}

function asJson(result: Readonly<Record<string, unknown>>): ToolOutput {
  return { content: [{ type: "text", text: JSON.stringify(result, undefined, 2) }], details: result };
}
