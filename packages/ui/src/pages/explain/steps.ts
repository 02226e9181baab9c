// One turn as steps on a common line of time.
import type { MethodAnswer } from "@chela/sdk/protocol";

export type Run = MethodAnswer<"runs.explain">;
type Attempt = Run["attempts"][number];
type Tool = Run["tools"][number];
type Delivery = Run["delivery"][number];

type Tone = "plain" | "wait" | "good" | "warn" | "bad";

interface Span {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** It goes on: its end is now. */
  readonly isOpen: boolean;
  readonly tone: Tone;
}

export type Step = Span &
  (
    | { readonly kind: "received" | "access" | "route" | "queue" | "prompt" | "working" }
    | { readonly kind: "attempt"; readonly attempt: Attempt }
    | { readonly kind: "tool"; readonly tool: Tool }
    | { readonly kind: "delivery"; readonly delivery: Delivery }
  );

export interface Axis {
  readonly from: number;
  readonly to: number;
}

export function stepsOf(run: Run, now: number): Step[] {
  const work = [
    ...run.attempts.map((attempt, at) => attemptStep(attempt, at)),
    ...run.tools.map((tool) => toolStep(tool, run.endedAt ?? now, run.state === "done")),
  ].toSorted((a, b) => a.from - b.from);
  return [
    ...arrivalSteps(run),
    queueStep(run, now),
    ...preparation(run, now),
    ...work,
    ...run.delivery.map((delivery) => deliveryStep(delivery, now)),
  ];
}

function span(key: string, from: number, to: number, tone: Tone = "plain", isOpen = false): Span {
  return { key, from, to: Math.max(from, to), tone, isOpen };
}

function arrivalSteps(run: Run): Step[] {
  const { receivedAt = run.admittedAt, admittedAt, access } = run;
  const decidedAt = access?.decidedAt ?? receivedAt;
  return [
    { kind: "received", ...span("received", receivedAt, receivedAt) },
    ...(access ? [{ kind: "access" as const, ...span("access", receivedAt, decidedAt) }] : []),
    { kind: "route", ...span("route", decidedAt, admittedAt) },
  ];
}

function queueStep({ admittedAt, startedAt, endedAt, state }: Run, now: number): Step {
  const isOpen = state === "queued";
  return { kind: "queue", ...span("queue", admittedAt, startedAt ?? endedAt ?? now, "wait", isOpen) };
}

/** From the start to the first call of a model; while that is not known, the work as a whole. */
function preparation({ startedAt, attempts, state }: Run, now: number): Step[] {
  const first = attempts[0];
  if (startedAt === undefined) return [];
  if (first) return [{ kind: "prompt", ...span("prompt", startedAt, first.startedAt) }];
  return state === "running" ? [{ kind: "working", ...span("working", startedAt, now, "good", true) }] : [];
}

function attemptStep(attempt: Attempt, at: number): Step {
  const tones = { ok: "good", failed: "bad", aborted: "warn" } as const;
  return {
    kind: "attempt",
    attempt,
    ...span(`attempt-${at}`, attempt.startedAt, attempt.endedAt, tones[attempt.status]),
  };
}

function toolStep(tool: Tool, runEnd: number, isOver: boolean): Step {
  const isOpen = tool.endedAt === undefined && !isOver;
  const tone = tool.isError ? "bad" : waitsForApproval(tool) ? "warn" : "plain";
  return {
    kind: "tool",
    tool,
    ...span(`tool-${tool.toolCallId}`, tool.startedAt, tool.endedAt ?? runEnd, tone, isOpen),
  };
}

/** What is asked of people now is noted in the turn only when it is over: until then it stands in the list of questions. */
export function withQuestions(
  run: Run,
  asked: ReadonlyArray<{ readonly sessionKey: string; readonly at: number }>,
): Run {
  if (run.state !== "running") return run;
  const question = asked.find(({ sessionKey }) => sessionKey === run.sessionKey);
  const waiting = run.tools.find(({ endedAt, approval }) => endedAt === undefined && approval === undefined);
  if (!question || !waiting) return run;
  const approval = { askedAt: Math.max(question.at, waiting.startedAt) };
  return { ...run, tools: run.tools.map((tool) => (tool === waiting ? { ...tool, approval } : tool)) };
}

export function waitsForApproval({ approval, endedAt }: Tool): boolean {
  return approval !== undefined && approval.settledAt === undefined && endedAt === undefined;
}

function deliveryStep(delivery: Delivery, now: number): Step {
  const { id, createdAt, updatedAt, state } = delivery;
  const tones = { delivered: "good", pending: "warn", undeliverable: "bad" } as const;
  const isOpen = state === "pending";
  const end = isOpen ? now : (updatedAt ?? createdAt);
  return { kind: "delivery", delivery, ...span(`delivery-${id}`, createdAt, end, tones[state], isOpen) };
}

/** However long the rest takes, the turn keeps this much of the line. */
const LEAST_SHARE = 2 / 3;
const LEAST_MS = 1000;

/** A delivery that is tried for hours would make everything else a dot: its bar leaves the picture instead. */
export function axisOf(steps: readonly Step[]): Axis {
  const from = Math.min(...steps.map((step) => step.from));
  const ends = (wanted: readonly Step[]): number => Math.max(from, ...wanted.map(({ to }) => to));
  const turnMs = ends(steps.filter(({ kind }) => kind !== "delivery")) - from;
  const most = from + Math.max(LEAST_MS, turnMs / LEAST_SHARE);
  return { from, to: Math.max(from + 1, Math.min(ends(steps), most)) };
}

/** Where on the line a moment stands: 0 is the begin, 1 the end. */
export function placeOf(at: number, { from, to }: Axis): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}
