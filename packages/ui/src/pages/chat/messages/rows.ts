// Rows of the timeline, from top to bottom: entries, what waits to be heard, what is being answered.
import type { ShownMessage } from "@chela/sdk/protocol";
import type { Conversation, Problem, ShownRun } from "../conversation.ts";
import type { UnsentMessage } from "../composer/unsent-messages.ts";

export type TimelineRow =
  | { readonly kind: "entry"; readonly key: string; readonly index: number; readonly message: ShownMessage | undefined }
  | { readonly kind: "unsent"; readonly key: string; readonly message: UnsentMessage }
  | { readonly kind: "run"; readonly key: string; readonly run: ShownRun }
  | { readonly kind: "compacting"; readonly key: string }
  | { readonly kind: "problem"; readonly key: string; readonly problem: Problem };

/** Rows behind the last entry. */
export function rowsBehind({ state, unsent, entries }: Conversation): TimelineRow[] {
  const { runs, problem, isCompacting } = state.value;
  const waiting = unsent.all.value;
  // What another client said waits in its run; what was said here is shown as it was said.
  const queued = runs.filter((run) => run.state === "queued" && !waiting.some(({ id }) => id === run.runId));
  const running = runs.filter((run) => run.state === "running");
  return [
    ...waiting.filter(({ id }) => running.some(({ runId }) => runId === id)).map(toUnsent),
    ...running.map((run) => ({ kind: "run", key: `run ${run.runId}`, run }) as const),
    ...(isCompacting ? [{ kind: "compacting", key: "compacting" } as const] : []),
    ...(problem && !isWritten(entries, problem)
      ? [{ kind: "problem", key: `problem ${problem.runId}`, problem } as const]
      : []),
    ...queued.map((run) => ({ kind: "run", key: `run ${run.runId}`, run }) as const),
    ...waiting.filter(({ id }) => !running.some(({ runId }) => runId === id)).map(toUnsent),
  ];
}

/** Entries behind the one that says why there is no answer: changes of settings, and the like. */
const LOOK_BACK = 8;

/** Whether the transcript says it, too: then that is where it is shown. */
function isWritten(entries: Conversation["entries"], { text, runId }: Problem): boolean {
  const last = Array.from({ length: LOOK_BACK }, (_, back) => entries.peek(entries.total - 1 - back));
  return last.some(
    (entry) => entry?.errorMessage !== undefined && (entry.errorMessage === text || entry.runId === runId),
  );
}

export function rowAt(
  conversation: Conversation,
  behind: readonly TimelineRow[],
  index: number,
): TimelineRow | undefined {
  const { entries } = conversation;
  if (index >= entries.total) return behind[index - entries.total];
  const message = entries.at(index);
  return { kind: "entry", key: message?.id ?? `at ${index}`, index, message };
}

function toUnsent(message: UnsentMessage): TimelineRow {
  return { kind: "unsent", key: `unsent ${message.id}`, message };
}
