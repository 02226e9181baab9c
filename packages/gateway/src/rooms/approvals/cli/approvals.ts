// `chela approvals list|approve|deny`: commands that wait for a person's yes.
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import type { Ask } from "@chela/sdk/protocol";
import {
  describeQuestion,
  tellDecision,
  toQuestion,
  wrapWhole,
  type ApprovalDecision,
  type WaitingApproval,
} from "./approval-question.ts";

type Waiting = MethodAnswer<"exec.approval.list">;

export function list(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const waiting = await readWaiting(ask);
    if (call.flags.has("json")) call.terminal.printJson(waiting);
    else
      for (const line of [...describeWaiting(waiting, call), ...(await describeList(ask, call))])
        call.terminal.print(line);
  });
}

/** Whoever may answer questions need not be allowed to see the file. */
async function describeList(ask: Ask, call: CommandCall): Promise<string[]> {
  const { describeAskedAnyway } = await import("./approvals-file.ts");
  return describeAskedAnyway(ask, call).catch((error: unknown) => {
    if (CommandFailure.is(error) && error.kind === "call") return [];
    throw error;
  });
}

export function approve(call: CommandCall): Promise<number> {
  return decide(call, call.flags.has("always") ? "allow-always" : "allow-once");
}

export function deny(call: CommandCall): Promise<number> {
  return decide(call, "deny");
}

function decide(call: CommandCall, decision: ApprovalDecision): Promise<number> {
  const [id = ""] = call.args;
  return call.gateway.ask(async (ask) => {
    const { pending } = await readWaiting(ask);
    const meant = pending.find((approval) => approval.id.startsWith(id));
    try {
      tellResult(call, await ask("exec.approval.resolve", { id, decision }), sayDecided(call, decision, meant));
    } catch (error) {
      if (!CommandFailure.is(error) || error.kind !== "call") throw error;
      throw new CommandFailure("other", error.message, { fix: "`chela approvals list` shows what waits." });
    }
  });
}

function sayDecided({ terminal }: CommandCall, decision: ApprovalDecision, meant: WaitingApproval | undefined): string {
  const command = meant ? wrapWhole(meant.request.command, terminal.columns - 2).map((line) => `\n  ${line}`) : [];
  const said = tellDecision(decision, meant?.request.onlyOnce);
  return `${said[0]?.toUpperCase()}${said.slice(1)}${meant ? ":" : "."}${command.join("")}`;
}

async function readWaiting(ask: Ask): Promise<Waiting> {
  return await ask("exec.approval.list");
}

function describeWaiting({ pending, ts }: Waiting, { terminal: { style, columns } }: CommandCall): string[] {
  if (pending.length === 0) return ["No command waits for approval."];
  return pending.flatMap((approval) => [
    ...describeQuestion(toQuestion(approval, ts), style, columns),
    `  chela approvals approve ${approval.id}`,
    `  chela approvals deny ${approval.id}`,
  ]);
}
