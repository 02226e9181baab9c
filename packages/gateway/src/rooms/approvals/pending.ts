// Questions that wait for a person: each is answered once, or times out, which means no.
import { GatewayError, type Clock, type Ids } from "@chela/sdk";

export type ApprovalDecision = "allow-once" | "allow-always" | "deny";

/** What the person sees, as clients know it. */
export interface ApprovalSubject {
  /** With every character visible. */
  readonly command: string;
  readonly cwd?: string;
  readonly host?: string;
  readonly security?: string;
  readonly ask?: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly resolvedPath?: string;
  readonly envKeys?: readonly string[];
  readonly requester?: { readonly channel: string; readonly account: string; readonly id: string };
  readonly reason?: string;
  /** Stands above the question when it is not about a command. */
  readonly title?: string;
  readonly [field: string]: unknown;
}

export interface PendingApproval {
  readonly id: string;
  readonly request: ApprovalSubject;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** `decision` is null when nobody answered in time. */
export interface ApprovalOutcome {
  readonly id: string;
  readonly decision: ApprovalDecision | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export type ApprovalEvent =
  | { readonly kind: "requested"; readonly approval: PendingApproval }
  | {
      readonly kind: "resolved";
      readonly id: string;
      readonly decision: ApprovalDecision;
      readonly resolvedBy: string;
      readonly ts: number;
      readonly request: ApprovalSubject;
    };

export interface AskedApproval {
  readonly approval: PendingApproval;
  readonly outcome: Promise<ApprovalOutcome>;
  /** Takes the question back; a no for whoever still waits. */
  withdraw(): void;
}

export interface PendingApprovals {
  ask(question: {
    readonly id?: string | undefined;
    readonly subject: ApprovalSubject;
    readonly timeoutMs?: number | undefined;
  }): AskedApproval;
  /** Oldest first. */
  list(): readonly PendingApproval[];
  wait(id: string): Promise<ApprovalOutcome>;
  /** Takes a whole id or a beginning of one that is clear. Returns the whole id. */
  resolve(idOrPrefix: string, decision: string, by: string): string;
  withdrawAll(): void;
  /** From now on nobody waits: `leave` ends the turn of each question, and what no turn asked is withdrawn. */
  letGo(leave: Leave): void;
}

/** Ends the turn that waits for an answer, so that it is taken up again later. */
export type Leave = (turn: { readonly sessionKey: string; readonly runId: string }) => void;

interface Question {
  readonly approval: PendingApproval;
  readonly outcome: Promise<ApprovalOutcome>;
  isOpen: boolean;
  settle(decision: ApprovalDecision | null, by: string): void;
}

const TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 30 * 60_000;
const KEEP_ANSWERED_MS = 15_000;
const SHORTEST_PREFIX = 4;
const MOST_OPEN = 500;
const DECISIONS: readonly ApprovalDecision[] = ["allow-once", "allow-always", "deny"];

export function createPendingApprovals(parts: {
  readonly clock: Clock;
  readonly ids: Ids;
  announce(event: ApprovalEvent): void;
}): PendingApprovals {
  const questions = new Map<string, Question>();
  let leave: Leave | undefined;
  const openOnes = (): Question[] => [...questions.values()].filter((question) => question.isOpen);

  const open = (approval: PendingApproval): Question => {
    const { promise, resolve } = Promise.withResolvers<ApprovalOutcome>();
    const { id, request, createdAtMs, expiresAtMs } = approval;
    const cancelTimeout = parts.clock.after(expiresAtMs - createdAtMs, () => question.settle(null, "timeout"));
    const question: Question = {
      approval,
      outcome: promise,
      isOpen: true,
      settle(decision, resolvedBy) {
        if (!question.isOpen) return;
        question.isOpen = false;
        cancelTimeout();
        // Callers that are on their way still find the answer for a while.
        parts.clock.after(KEEP_ANSWERED_MS, () => questions.delete(id));
        resolve({ id, decision, createdAtMs, expiresAtMs });
        parts.announce({
          kind: "resolved",
          id,
          decision: decision ?? "deny",
          resolvedBy,
          ts: parts.clock.now(),
          request,
        });
      },
    };
    return question;
  };

  return {
    ask({ id = parts.ids.uuid(), subject, timeoutMs = TIMEOUT_MS }) {
      if (questions.has(id)) throw refuse("approval id already pending");
      if (openOnes().length >= MOST_OPEN)
        throw refuse(`too many approvals are pending (${MOST_OPEN}): answer some first`);
      const createdAtMs = parts.clock.now();
      const expiresAtMs = createdAtMs + Math.min(timeoutMs, LONGEST_TIMEOUT_MS);
      const question = open({ id, request: subject, createdAtMs, expiresAtMs });
      questions.set(id, question);
      parts.announce({ kind: "requested", approval: question.approval });
      if (leave) leaveOrWithdraw(question, leave);
      return {
        approval: question.approval,
        outcome: question.outcome,
        withdraw: () => question.settle("deny", "withdrawn"),
      };
    },
    list: () => openOnes().map((question) => question.approval),
    async wait(id) {
      const question = questions.get(id);
      if (!question) throw refuse("approval expired or not found");
      return question.outcome;
    },
    resolve(idOrPrefix, written, by) {
      const decision = DECISIONS.find((known) => known === written);
      if (!decision) throw refuse(`invalid decision: choose one of ${DECISIONS.join(", ")}`);
      const question = findOpen(questions, idOrPrefix.trim());
      question.settle(decision, by);
      return question.approval.id;
    },
    withdrawAll: () => openOnes().forEach((question) => question.settle("deny", "gateway stopped")),
    letGo(how) {
      leave = how;
      for (const question of openOnes()) leaveOrWithdraw(question, how);
    },
  };
}

function leaveOrWithdraw(question: Question, leave: Leave): void {
  const { sessionKey, runId } = question.approval.request;
  if (sessionKey !== undefined && typeof runId === "string") leave({ sessionKey, runId });
  else question.settle("deny", "gateway stopped");
}

function findOpen(questions: ReadonlyMap<string, Question>, idOrPrefix: string): Question {
  const exact = questions.get(idOrPrefix);
  if (exact && !exact.isOpen) throw refuse("unknown approval id: it was already answered or timed out");
  if (exact) return exact;
  const fitting = [...questions.values()].filter(
    (question) => question.isOpen && question.approval.id.startsWith(idOrPrefix),
  );
  if (idOrPrefix.length < SHORTEST_PREFIX || fitting.length === 0) throw refuse("unknown approval id");
  const [first, second] = fitting;
  if (!first || second) throw refuse("unknown approval id: more than one begins like that, write more of it");
  return first;
}

function refuse(detail: string): GatewayError {
  return new GatewayError("PROTOCOL_REQUEST", detail);
}
