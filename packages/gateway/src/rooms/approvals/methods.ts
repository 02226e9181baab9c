// Methods about commands that need a person's yes: the questions that wait, and the file of what is allowed for good.
import { defined } from "@chela/sdk/base";
import { type APPROVAL_METHODS, type MethodParams, actorOf, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type ApprovalMethods = Pick<Handlers, keyof typeof APPROVAL_METHODS>;

export function approvalMethods(gateway: House): ApprovalMethods {
  const approvals = async () => (await gateway.turnServices()).approvals;
  return {
    "exec.approvals.get": async () => (await approvals()).snapshot(),

    async "exec.approvals.set"({ file, baseHash, accept = false }, { client }) {
      const now = (await approvals()).replace(file, baseHash, accept);
      const detail = { step: accept ? "changes of others accepted" : "rules changed", hash: now.hash };
      const target = "exec-approvals.json";
      gateway.audit.noteAtOnce({ action: "approval", actor: actorOf(client), target, outcome: "ok", detail });
      return now;
    },

    async "exec.approval.request"({ twoPhase, systemRunPlanV2: _older, systemRunPlan, ...asked }, call) {
      const question = { ...asked, ...planned(systemRunPlan) };
      const { approval, outcome } = await (await approvals()).request(question);
      const { id, createdAtMs, expiresAtMs } = approval;
      if (twoPhase) call.early({ status: "accepted", id, createdAtMs, expiresAtMs });
      return outcome;
    },

    "exec.approval.waitDecision": async ({ id }) => (await approvals()).waitDecision(id),

    async "exec.approval.resolve"({ id, decision }, { client }) {
      (await approvals()).resolve(id, decision, client.info.displayName ?? client.info.id);
      return { ok: true as const };
    },

    "exec.approval.list": async () => ({ ts: gateway.clock.now(), pending: [...(await approvals()).list()] }),
  };
}

/** Of a prepared command, what was prepared will run: nothing else may be asked about. */
function planned(plan: MethodParams<"exec.approval.request">["systemRunPlan"]) {
  if (!plan) return {};
  const { commandText: command, argv, cwd, agentId, sessionKey } = plan;
  const given = { commandArgv: argv, cwd, agentId, sessionKey };
  return { command, ...defined(given) };
}
