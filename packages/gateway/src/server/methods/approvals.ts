// Methods about commands that need a person's yes: the questions that wait, and the file of what is allowed for good.
import type { Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";

type ApprovalMethods = Pick<
  Handlers,
  | "exec.approvals.get"
  | "exec.approvals.set"
  | "exec.approval.request"
  | "exec.approval.waitDecision"
  | "exec.approval.resolve"
  | "exec.approval.list"
>;

export function approvalMethods({ approvals, clock }: GatewayParts): ApprovalMethods {
  return {
    "exec.approvals.get": () => approvals.snapshot(),

    "exec.approvals.set": ({ file, baseHash }) => approvals.replace(file, baseHash),

    async "exec.approval.request"({ twoPhase, systemRunPlanV2: _plan, ...question }, call) {
      const { approval, outcome } = await approvals.request(question);
      const { id, createdAtMs, expiresAtMs } = approval;
      if (twoPhase) call.early({ status: "accepted", id, createdAtMs, expiresAtMs });
      return outcome;
    },

    "exec.approval.waitDecision": ({ id }) => approvals.waitDecision(id),

    "exec.approval.resolve"({ id, decision }, { client }) {
      approvals.resolve(id, decision, client.info.displayName ?? client.info.id);
      return { ok: true as const };
    },

    "exec.approval.list": () => ({ ts: clock.now(), pending: [...approvals.list()] }),
  };
}
