// The words in which a chat is asked whether a command may run. Everything that will run can be seen in them. Pure.
import type { Button } from "@chela/sdk";
import { showEverything, type ApprovalEvent, type PendingApproval } from "../../rooms/approvals/room.ts";

const SHORT_ID = 8;

/** The whole command, however long: what cannot be seen must not be approved. */
export function describeQuestion({ request }: PendingApproval): string {
  const { command, cwd, agentId, reason, resolvedPath, title = "A command needs your approval" } = request;
  return [
    `🔐 **${title}**${agentId ? ` (agent ${showEverything(agentId)})` : ""}`,
    fenced(command),
    ...(resolvedPath ? [`Runs: ${inCode(resolvedPath)}`] : []),
    ...(cwd ? [`In: ${inCode(cwd)}`] : []),
    ...(typeof reason === "string" ? [showEverything(reason)] : []),
  ].join("\n\n");
}

export function instructions({ id, request, createdAtMs, expiresAtMs }: PendingApproval): string {
  const minutes = Math.max(1, Math.round((expiresAtMs - createdAtMs) / 60_000));
  const short = id.slice(0, SHORT_ID);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const decisions = ["allow-once", ...(canLast(request) ? ["allow-always"] : []), "deny"];
  const lines = decisions.map((decision) => `\`/approve ${short} ${decision}\``);
  return [`Without an owner's answer within ${wait} it does not run. Answer with one of`, ...lines].join("\n");
}

export function questionButtons({ id, request }: PendingApproval): Button[][] {
  const always = { text: "✅ Always", data: `/approve ${id} allow-always` };
  return [
    [
      { text: "✅ Allow once", data: `/approve ${id} allow-once` },
      ...(canLast(request) ? [always] : []),
      { text: "⛔ Deny", data: `/approve ${id} deny` },
    ],
  ];
}

/** Some commands cannot be allowed for good, whatever is answered. */
function canLast(request: PendingApproval["request"]): boolean {
  return request["onlyOnce"] !== true;
}

export function describeOutcome(event: Extract<ApprovalEvent, { kind: "resolved" }>): string {
  const { decision, resolvedBy, request } = event;
  if (resolvedBy === "timeout") return "⌛ Nobody answered in time: it was not run.";
  if (resolvedBy === "withdrawn" || resolvedBy === "gateway stopped")
    return "⏹️ Nobody waits for it any more: it was not run.";
  switch (decision) {
    case "allow-once":
      return "✅ Allowed once.";
    case "allow-always":
      return canLast(request) ? "✅ Allowed for good." : "✅ Allowed once: it cannot be allowed for good.";
    case "deny":
      return "⛔ Denied: it was not run.";
  }
}

/** A fence that nothing in the text can close. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

function inCode(text: string): string {
  const ticks = "`".repeat(longestTicks(text) + 1);
  return ticks.length === 1 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
}
