// Decides about text an agent types into a running command: a command of its own, unless it is taken for data.
import { toGatewayError, type ExecGuard, type ExecInput, type ExecInputDecision, type Logger } from "@chela/sdk";
import type { ApprovalsFile } from "./approvals-file.ts";
import type { ExecSettings } from "./authorize.ts";
import { showEverything } from "./plan/hidden-characters.ts";
import type { ApprovalSubject, PendingApprovals } from "./pending.ts";
import { decidePolicy, type ExecPolicy } from "./policy.ts";
import { sayStopped } from "./say-stopped.ts";

export interface AskInputParts {
  settings(agentId: string, sessionKey: string): ExecSettings | Promise<ExecSettings>;
  canAsk(sessionKey: string | undefined, runId?: string): boolean | Promise<boolean>;
  readonly file: Pick<ApprovalsFile, "rulesFor">;
  readonly pending: PendingApprovals;
  readonly log: Logger;
}

type AskOptions = Parameters<ExecGuard["authorizeInput"]>[1];

const NOT_TYPED = "Nothing was typed.";
const REASON =
  "It is typed into a command that already runs, which may take it for commands. Allowing it always allows all further input of this one process.";

export function createAskInput(parts: AskInputParts): ExecGuard["authorizeInput"] {
  return async (input, options) => {
    try {
      return await decide(parts, input, options);
    } catch (thrown) {
      const { code, detail } = toGatewayError(thrown, "TURN_FAILED");
      parts.log.error("Input for a command was refused because it could not be judged", { code, detail });
      return deny("It could not be checked; `chela logs` tells why.");
    }
  };
}

async function decide(parts: AskInputParts, input: ExecInput, options: AskOptions): Promise<ExecInputDecision> {
  const settings = await parts.settings(input.agentId, input.sessionKey);
  const policy = decidePolicy([...settings.rules, ...parts.file.rulesFor(input.agentId)], {});
  if (policy.security === "deny") return deny("Running commands is switched off here (security is deny).");
  if (policy.security === "full" && policy.ask !== "always") return { kind: "allowed", lasts: true };
  if (policy.ask === "off")
    return deny("The command may take it for commands, and asking is switched off (ask is off).");
  if (options.signal.aborted) return deny(sayStopped(options.signal));
  if (!(await parts.canAsk(input.sessionKey, input.runId)))
    return deny("The command may take it for commands, and nobody who could approve that is connected.");
  return ask(parts, input, policy, options);
}

async function ask(
  parts: AskInputParts,
  input: ExecInput,
  policy: ExecPolicy,
  options: AskOptions,
): Promise<ExecInputDecision> {
  const asked = parts.pending.ask({ subject: describe(input, policy) });
  const { id, expiresAtMs, request } = asked.approval;
  options.signal.addEventListener("abort", asked.withdraw, { once: true });
  try {
    if (options.signal.aborted) asked.withdraw();
    options.onPending({ id, command: request.command, cwd: input.cwd, expiresAtMs });
    const { decision } = await asked.outcome;
    if (options.signal.aborted) return deny(sayStopped(options.signal));
    if (decision === null) return deny("Nobody approved it in time. Ask the person, then try again.");
    if (decision === "deny") return deny("A person refused it. Do not try it again in another form.");
    return { kind: "allowed", lasts: decision === "allow-always" };
  } finally {
    options.signal.removeEventListener("abort", asked.withdraw);
    asked.withdraw();
  }
}

function describe(input: ExecInput, policy: ExecPolicy): ApprovalSubject {
  const { channel, account, id } = input.requester;
  const end = input.closesInput ? "\n(and its input is closed)" : "";
  return {
    command: `Type into the running command ${showEverything(input.command)} (${input.processId}):\n${showEverything(input.text)}${end}`,
    cwd: showEverything(input.cwd),
    host: "gateway",
    security: policy.security,
    ask: policy.ask,
    agentId: input.agentId,
    sessionKey: input.sessionKey,
    runId: input.runId,
    requester: { channel, account, id },
    reason: REASON,
  };
}

function deny(why: string): ExecInputDecision {
  return { kind: "denied", why: `${NOT_TYPED} ${why}` };
}
