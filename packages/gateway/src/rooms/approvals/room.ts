// The approvals room owns the question whether a command may run: how it is understood, the allow-list in
// exec-approvals.json, the people who are asked, and the seal that ties a run to what was approved. It runs nothing.
import { dirname, join } from "node:path";
import type { Clock, ExecGuard, Ids, Logger } from "@chela/sdk";
import type { Believed } from "../../base/files/believed.ts";
import { parseApprovalParams, subjectOf } from "./approval-params.ts";
import { createApprovalsFile, type ApprovalsSnapshot } from "./approvals-file.ts";
import { createAskInput } from "./ask-input.ts";
import { createAuthorize, type ExecSettings } from "./authorize.ts";
import { createDigestMemory } from "./digest-files.ts";
import {
  createPendingApprovals,
  type ApprovalDecision,
  type ApprovalEvent,
  type ApprovalOutcome,
  type ApprovalSubject,
  type AskedApproval,
  type Leave,
  type PendingApproval,
  type PendingApprovals,
} from "./pending.ts";
import { createSeals } from "./seal.ts";

export type { ExecSettings } from "./authorize.ts";
export { showEverything } from "./plan/hidden-characters.ts";
export type { ApprovalEvent, ApprovalSubject, PendingApproval } from "./pending.ts";
export type { ExecRules } from "./policy.ts";

export interface ApprovalsParts {
  /** exec-approvals.json in the state directory. */
  readonly path: string;
  /** The home directory of the user the gateway runs as: what `~/` means in the allow-list. */
  readonly home: string;
  /** What of the file may be believed. */
  readonly believed: Pick<Believed, "sift" | "known" | "remember">;
  /** Files of the gateway outside of the state directory, such as the configuration. */
  ownFiles?(): readonly string[];
  /** Absolute path of the shell for commands that are not understood; /bin/sh unless told otherwise. */
  readonly shell?: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  settings(agentId: string, sessionKey: string): ExecSettings | Promise<ExecSettings>;
  /** Whether anybody who may answer would see a question of this session. */
  canAsk(sessionKey: string | undefined, runId?: string): boolean | Promise<boolean>;
  announce(event: ApprovalEvent): void;
  /** Called after exec-approvals.json was written. */
  saved?(): void;
}

export interface Approvals extends ExecGuard {
  /** Questions that wait, oldest first. */
  list(): readonly PendingApproval[];
  /** For exec.approval.request: the question is open when this resolves; its outcome comes later. */
  request(params: unknown): Promise<Omit<AskedApproval, "withdraw">>;
  /** Asks those who may answer something that is not about a command of an agent, such as what a server wants to know. */
  ask(subject: ApprovalSubject, options: AskOptions): Promise<AskAnswer>;
  /** For exec.approval.waitDecision. */
  waitDecision(id: string): Promise<ApprovalOutcome>;
  /** Takes a whole id or a clear beginning of one, at least four characters. Returns the whole id. */
  resolve(id: string, decision: string, by: string): string;
  /** For exec.approvals.get and set. */
  snapshot(): ApprovalsSnapshot;
  replace(file: unknown, baseHash?: string, accepts?: boolean): ApprovalsSnapshot;
  /** The gateway stops: nobody waits any longer for an answer, now or later. */
  letGo(leave: Leave): void;
  /** Every open question is answered with no. */
  close(): void;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  onPending?(approval: PendingApproval): void;
}

/** `nobody`: nobody who may answer would see it. `late`: nobody did in time. */
export type AskAnswer = ApprovalDecision | "nobody" | "late" | "stopped";

async function askPeople(
  parts: Pick<ApprovalsParts, "canAsk">,
  pending: PendingApprovals,
  subject: ApprovalSubject,
  { signal, timeoutMs, onPending }: AskOptions,
): Promise<AskAnswer> {
  const { sessionKey, runId } = subject;
  if (signal.aborted) return "stopped";
  if (!(await parts.canAsk(sessionKey, typeof runId === "string" ? runId : undefined))) return "nobody";
  const asked = pending.ask({ subject, timeoutMs });
  signal.addEventListener("abort", asked.withdraw, { once: true });
  try {
    onPending?.(asked.approval);
    const { decision } = await asked.outcome;
    return signal.aborted ? "stopped" : (decision ?? "late");
  } finally {
    signal.removeEventListener("abort", asked.withdraw);
    asked.withdraw();
  }
}

/** Touches no file until the first question. */
export function createApprovals(parts: ApprovalsParts): Approvals {
  const { path, home, clock, ids, log } = parts;
  const file = createApprovalsFile({ path, clock, ids, log, believed: parts.believed, saved: () => parts.saved?.() });
  const pending = createPendingApprovals({ clock, ids, announce: (event) => parts.announce(event) });
  const digests = createDigestMemory(clock);
  const copiesFolder = join(dirname(path), "exec-copies");
  const seals = createSeals({ clock, ids, digests, copiesFolder, home });
  const authorize = createAuthorize({
    settings: (agentId, sessionKey) => parts.settings(agentId, sessionKey),
    canAsk: (sessionKey, runId) => parts.canAsk(sessionKey, runId),
    shell: parts.shell ?? "/bin/sh",
    home,
    filePath: path,
    ownFiles: () => parts.ownFiles?.() ?? [],
    clock,
    log,
    file,
    pending,
    seals,
    digests,
  });
  return {
    authorize,
    confirm: (decision, request) => seals.check(decision.seal, decision.plan, request),
    prepareStep: (decision, step) => seals.prepare(decision.seal, decision.plan, step),
    release: ({ seal }) => seals.release(seal),
    authorizeInput: createAskInput({ settings: parts.settings, canAsk: parts.canAsk, file, pending, log }),
    list: () => pending.list(),
    async request(written) {
      const params = parseApprovalParams(written);
      const canBeAnswered = await parts.canAsk(params.sessionKey ?? undefined);
      const { approval, outcome, withdraw } = pending.ask({
        id: params.id ?? undefined,
        subject: subjectOf(params),
        timeoutMs: params.timeoutMs ?? undefined,
      });
      if (canBeAnswered) return { approval, outcome };
      // Nobody would ever answer: it is over at once, as if the time had passed.
      withdraw();
      return { approval, outcome: outcome.then((over) => ({ ...over, decision: null })) };
    },
    ask: (subject, options) => askPeople(parts, pending, subject, options),
    waitDecision: (id) => pending.wait(id),
    resolve: (id, decision, by) => pending.resolve(id, decision, by),
    snapshot: () => file.snapshot(),
    replace: (document, baseHash, accepts) => file.replace(document, baseHash, accepts),
    letGo: (leave) => pending.letGo(leave),
    close: () => pending.withdrawAll(),
  };
}
