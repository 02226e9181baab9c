// Tells how a turn came about, section by section. What was not noted is said to be so.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { ModelAttempt } from "@chela/sdk";
import type { Terminal } from "@chela/sdk/command-line";
import { cleanForTerminal, count, formatDuration, formatTokens, alignRows } from "../../base/terminal/layout.ts";
import { formatCost } from "./usage-view.ts";
import { isObject } from "@chela/sdk/base";

type Explained = MethodAnswer<"runs.explain">;
/** What is shown of it. */
export type ExplainedRun = Pick<
  Explained,
  | "runId"
  | "messageId"
  | "channel"
  | "account"
  | "agentId"
  | "sessionKey"
  | "state"
  | "admittedAt"
  | "startedAt"
  | "endedAt"
  | "status"
  | "error"
  | "stopReason"
  | "access"
  | "trace"
> & {
  readonly tools: ReadonlyArray<Pick<Explained["tools"][number], "name" | "startedAt" | "endedAt" | "isError">>;
  readonly usage: ReadonlyArray<
    Pick<Explained["usage"][number], "model" | "calls" | "tokens" | "cost" | "missingCostEntries">
  >;
  readonly delivery: ReadonlyArray<
    Pick<Explained["delivery"][number], "channel" | "account" | "to" | "state" | "attempts">
  >;
};

type Section = readonly [title: string, lines: readonly string[]];

const NOT_RECORDED = ["not recorded"];
const MOST_LINES = 20;

export function explainLines(run: ExplainedRun, { columns }: Pick<Terminal, "columns">): string[] {
  const trace = run.trace ?? {};
  const sections: Section[] = [
    ["Run", [run.runId, ...(run.messageId === run.runId ? [] : [`message ${run.messageId}`])]],
    ["Result", resultLines(run)],
    ["Asked by", askedLines(run)],
    ["Route", routeLines(run, objectAt(trace, "route"))],
    ["Prompt", promptLines(objectAt(trace, "prompt"), numberAt(trace, "compactions"))],
    ["Policy", policyLines(trace)],
    ["Model", attemptLines(listAt(trace, "attempts"))],
    ["Tools", toolLines(run)],
    ["Cost", costLines(run, objectAt(trace, "budget"))],
    ["Delivery", deliveryLines(run)],
  ];
  const notes = listAt(trace, "notes").map(String);
  if (notes.length > 0) sections.push(["Notes", notes]);
  const rows = sections.flatMap(([title, lines]) =>
    shownOf(lines).map((line, index): [string, string] => [index === 0 ? title : "", cleanForTerminal(line)]),
  );
  return alignRows(rows, columns);
}

function shownOf(lines: readonly string[]): string[] {
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `and ${more} more (--json shows all)`] : [...lines];
}

function askedLines({ access }: ExplainedRun): string[] {
  if (!access) return NOT_RECORDED;
  const { id, name, requester, follows = [] } = access;
  const who = [name, id].filter(Boolean).join(", ");
  return [requester ? `${requester}${who ? ` (${who})` : ""}` : who, ...follows];
}

function resultLines({ state, status, error, stopReason, admittedAt, startedAt, endedAt }: ExplainedRun): string[] {
  const when = `accepted ${new Date(admittedAt).toISOString()}`;
  if (state === "queued") return ["waits for its turn", when];
  const waited = startedAt === undefined ? "" : `, waited ${spell(startedAt - admittedAt)}`;
  if (state === "running") return ["is under way", `${when}${waited}`];
  const took = startedAt === undefined || endedAt === undefined ? "" : `, took ${spell(endedAt - startedAt)}`;
  const words = { ok: "answered", error: "failed", aborted: "was stopped" };
  const why = stopReason ? ` (${stopReason})` : "";
  return [`${status ? words[status] : "ended"}${why}`, ...(error ? [error] : []), `${when}${waited}${took}`];
}

function routeLines({ channel, account, agentId, sessionKey }: ExplainedRun, route: Fields | undefined): string[] {
  const by = route && textAt(route, "matchedBy");
  const reasons: Readonly<Record<string, string>> = {
    "session-key": "the message named the session",
    "agent-id": "the message named the agent",
    default: "nothing was named, so the default agent answers",
  };
  const why = by === undefined ? "why: not recorded" : `because ${reasons[by] ?? by}`;
  return [`${channel} (${account}) → agent ${agentId}, session ${sessionKey}`, why];
}

function promptLines(prompt: Fields | undefined, compactions: number | undefined): string[] {
  if (!prompt) return NOT_RECORDED;
  const chars = numberAt(prompt, "systemChars") ?? numberAt(prompt, "chars");
  const parts = [
    [chars, "characters of instructions"],
    [numberAt(prompt, "toolChars"), "characters of tools"],
    [numberAt(prompt, "messages"), "messages"],
    [numberAt(prompt, "tokens"), "tokens in all"],
  ] as const;
  const told = parts.flatMap(([amount, what]) => (amount === undefined ? [] : [`${formatTokens(amount)} ${what}`]));
  const shortened = compactions ? [`the conversation was summarised ${count(compactions, "time")}`] : [];
  return told.length === 0 ? NOT_RECORDED : [told.join(", "), ...shortened];
}

function policyLines(trace: Fields): string[] {
  const policy = objectAt(trace, "policy");
  if (!policy) return NOT_RECORDED;
  const offered = listAt(policy, "offered").filter((name) => typeof name === "string");
  const removed = listAt(policy, "removed")
    .filter(isObject)
    .map((one) => {
      const [tool, layer, why] = [textAt(one, "tool"), textAt(one, "layer"), textAt(one, "why")];
      return `without ${tool ?? "a tool"}: ${[layer, why].filter(Boolean).join(", ") || "why is not recorded"}`;
    });
  return [offered.length === 0 ? "no tools were offered" : `offered ${offered.join(", ")}`, ...removed];
}

function attemptLines(attempts: readonly unknown[]): string[] {
  const known = attempts.filter(
    (one): one is ModelAttempt & Fields => isObject(one) && typeof one["model"] === "string",
  );
  if (known.length === 0) return NOT_RECORDED;
  return known.map(({ provider, model, profileId, startedAt, endedAt, failure }) => {
    const who = `${provider}/${model}${profileId ? ` with ${profileId}` : ""}`;
    return `${who}, ${spell(endedAt - startedAt)}: ${failure ? `${failure.reason}. ${failure.message}` : "answered"}`;
  });
}

function toolLines({ tools }: ExplainedRun): string[] {
  if (tools.length === 0) return ["none was called"];
  return tools.map(({ name, startedAt, endedAt, isError }) => {
    if (endedAt === undefined) return `${name}: did not end`;
    return `${name}: ${isError ? "failed" : "done"} in ${spell(endedAt - startedAt)}`;
  });
}

function costLines({ usage }: ExplainedRun, budget: Fields | undefined): string[] {
  const spent = usage.map(({ model, calls, tokens, cost, missingCostEntries }) => {
    const price = missingCostEntries >= calls ? "price not known" : formatCost(cost);
    return `${model}: ${count(calls, "call")}, ${formatTokens(tokens)} tokens, ${price}`;
  });
  const kept = budget ? [`budget: ${JSON.stringify(budget)}`] : [];
  return [...(spent.length > 0 ? spent : ["nothing was spent"]), ...kept];
}

function deliveryLines({ delivery, state }: ExplainedRun): string[] {
  if (delivery.length === 0) return [state === "done" ? "there was nothing to deliver" : "not yet"];
  return delivery.map(({ channel, account, to, state: how, attempts }) => {
    const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
    return `${channel} (${account}) to ${to}: ${how}${tries}`;
  });
}

type Fields = Readonly<Record<string, unknown>>;

function objectAt(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  return isObject(value) ? value : undefined;
}

function listAt(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

function numberAt(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === "number" ? value : undefined;
}

function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}

/** Turns are quick: below a second, seconds say nothing. */
function spell(ms: number): string {
  return ms < 1000 ? `${ms} ms` : formatDuration(ms);
}
