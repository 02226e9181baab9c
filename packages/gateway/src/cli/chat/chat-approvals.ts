// The questions of one session that wait for a person's yes: heard of, answered here or elsewhere, and forgotten.
import { CommandFailure } from "@chela/sdk/command-line";
import {
  tellDecision,
  tellEnd,
  toQuestion,
  type ApprovalDecision,
  type ApprovalQuestion,
  type WaitingApproval,
} from "../../rooms/approvals/cli/approval-question.ts";
import type { GatewayConnection, GatewayEvent } from "../connect/gateway-connection.ts";

export interface ApprovalView {
  /** A command of this session waits for a person's yes. */
  asking(question: ApprovalQuestion): void;
  /** The question is over; `text` says how. */
  decided(id: string, text: string): void;
}

interface ResolvedEvent {
  readonly id: string;
  readonly decision: ApprovalDecision;
  readonly resolvedBy: string;
}

export class ChatApprovals {
  readonly #view: ApprovalView;
  readonly #sessionKey: () => string;
  readonly #open = new Map<string, { isAnsweredHere: boolean }>();

  constructor(view: ApprovalView, sessionKey: () => string) {
    this.#view = view;
    this.#sessionKey = sessionKey;
  }

  hear({ event, payload }: GatewayEvent): void {
    if (event === "exec.approval.requested") {
      const approval = payload as WaitingApproval;
      this.#hearQuestion(approval, approval.createdAtMs);
    }
    if (event === "exec.approval.resolved") this.#hearDecision(payload as ResolvedEvent);
  }

  /** Those that were asked while nobody listened here. */
  async find(connection: GatewayConnection): Promise<void> {
    try {
      const { pending, ts } = await connection.request("exec.approval.list", {});
      for (const approval of pending) this.#hearQuestion(approval, ts);
    } catch (error) {
      // Who may not answer is not asked; who lost the connection asks again with the next one.
      if (!CommandFailure.is(error)) throw error;
    }
  }

  /** `send` brings the answer to the gateway. */
  async decide(id: string, send: () => Promise<unknown>): Promise<void> {
    const question = this.#open.get(id);
    if (question) question.isAnsweredHere = true;
    try {
      await send();
    } catch (error) {
      if (question) question.isAnsweredHere = false;
      throw error;
    }
  }

  /** The connection is lost, and with it the way to answer. */
  forget(): void {
    for (const id of this.#open.keys()) this.#view.decided(id, "it cannot be answered now");
    this.#open.clear();
  }

  #hearQuestion(approval: WaitingApproval, now: number): void {
    if (approval.request.sessionKey !== this.#sessionKey() || this.#open.has(approval.id)) return;
    this.#open.set(approval.id, { isAnsweredHere: false });
    this.#view.asking(toQuestion(approval, now));
  }

  #hearDecision({ id, decision, resolvedBy }: ResolvedEvent): void {
    const question = this.#open.get(id);
    if (!question) return;
    this.#open.delete(id);
    this.#view.decided(id, question.isAnsweredHere ? tellDecision(decision) : tellEnd(decision, resolvedBy));
  }
}
