// A question whether a command may run, as a person reads it: the whole command, with nothing left out and nothing hidden.
import type { Style } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { showEverything } from "../plan/hidden-characters.ts";
import { cleanForTerminal } from "../../../base/terminal/layout.ts";

export type ApprovalDecision = "allow-once" | "allow-always" | "deny";

export type WaitingApproval = MethodAnswer<"exec.approval.list">["pending"][number];

export interface ApprovalQuestion {
  readonly id: string;
  readonly request: WaitingApproval["request"];
  /** By the steady clock of this process. */
  readonly endsAt: number;
}

const MARGIN = "  │ ";
const NARROWEST = 10;
const LAST_NARROW_CHARACTER = 0x7e;

/** `now` is the gateway's time, so that a clock that is wrong here does no harm. */
export function toQuestion({ id, request, expiresAtMs }: WaitingApproval, now: number): ApprovalQuestion {
  return { id, request, endsAt: performance.now() + expiresAtMs - now };
}

/** The margin shows what belongs to the command, so that a command cannot pass for the question. */
export function describeQuestion(question: ApprovalQuestion, style: Style, columns: number): string[] {
  const { command, cwd, agentId, resolvedPath, envKeys = [], reason } = question.request;
  const secondsLeft = Math.max(0, Math.ceil((question.endsAt - performance.now()) / 1000));
  const fact = (name: string, value: string | null | undefined): string[] =>
    value ? wrapWhole(`${name} ${value}`, columns - 2).map((line) => `  ${line}`) : [];
  return [
    style.yellow(`May this command run? ${secondsLeft} seconds are left to answer.`),
    ...wrapWhole(command, columns - MARGIN.length).map((line) => MARGIN + style.bold(line)),
    ...fact("in", cwd),
    ...fact("agent", agentId),
    ...fact("runs", resolvedPath),
    ...fact("variables", envKeys.join(", ")),
    ...fact("asked because:", reason),
  ];
}

export function tellDecision(decision: ApprovalDecision, onlyOnce = false): string {
  if (decision === "allow-always" && onlyOnce) return "allowed once: it cannot be allowed for good";
  return { "allow-once": "allowed once", "allow-always": "allowed from now on", deny: "denied" }[decision];
}

/** Why a question is over, for those who did not answer it themselves. */
export function tellEnd(decision: ApprovalDecision, resolvedBy: string): string {
  if (resolvedBy === "timeout") return "nobody answered in time: denied";
  if (resolvedBy === "withdrawn") return "the question was taken back: the command does not run";
  return `${tellDecision(decision)} by ${cleanForTerminal(resolvedBy)}`;
}

/** Every character is kept and can be seen. What may be two columns wide counts as two, so that no line spills over. */
export function wrapWhole(text: string, columns: number): string[] {
  const width = Math.max(NARROWEST, columns);
  return text.split("\n").flatMap((line) => {
    const lines = [""];
    let used = 0;
    for (const character of showEverything(line)) {
      const size = (character.codePointAt(0) ?? 0) > LAST_NARROW_CHARACTER ? 2 : 1;
      if (used + size > width) {
        lines.push("");
        used = 0;
      }
      lines[lines.length - 1] += character;
      used += size;
    }
    return lines;
  });
}
