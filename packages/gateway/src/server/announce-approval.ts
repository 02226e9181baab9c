// Tells clients of a command that waits for a person's yes, in the form they know, and the chat it came from.
import type { ApprovalEvent, ApprovalSubject, PendingApproval } from "../rooms/approvals/room.ts";
import type { Hub } from "./live/hub.ts";
import type { RunEvents } from "./live/run-events.ts";

/** What clients of OpenClaw expect to find, if only as nothing. */
const KNOWN_FIELDS = [
  "systemRunBinding",
  "systemRunPlan",
  "cwd",
  "nodeId",
  "host",
  "security",
  "ask",
  "agentId",
  "resolvedPath",
  "sessionKey",
  "turnSourceChannel",
  "turnSourceTo",
  "turnSourceAccountId",
  "turnSourceThreadId",
];

const MOST_CHARS = 1000;

export function announceApproval(
  parts: { readonly hub: Hub; readonly runEvents: RunEvents },
  event: ApprovalEvent,
): void {
  const scope = "operator.approvals";
  if (event.kind === "resolved") {
    const { kind: _kind, ...payload } = event;
    return parts.hub.broadcast("exec.approval.resolved", { ...payload, request: filled(event.request) }, { scope });
  }
  const { approval } = event;
  parts.hub.broadcast("exec.approval.requested", { ...approval, request: filled(approval.request) }, { scope });
  const { sessionKey } = approval.request;
  if (sessionKey) parts.runEvents.announceWaiting(sessionKey, waitingText(approval));
}

function filled(request: ApprovalSubject): object {
  return { ...Object.fromEntries(KNOWN_FIELDS.map((field) => [field, null])), ...request };
}

function waitingText({ id, request }: PendingApproval): string {
  const choices = ["allow-once", ...(request["onlyOnce"] === true ? [] : ["allow-always"]), "deny"];
  const answers = choices.map((answer) => `/approve ${id} ${answer}`);
  const { command, title = "A command waits for your yes" } = request;
  const shown = command.length <= MOST_CHARS ? command : `${command.slice(0, MOST_CHARS)}…`;
  return `⏳ ${title}:\n${shown}\nAnswer with one of:\n${answers.join("\n")}`;
}
