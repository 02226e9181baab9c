// Shows clients the latest output of a command that is being waited for, a few times a second.
import type { Clock, ToolContext } from "@chela/sdk";
import type { CommandSession } from "./command-session.ts";

const PAUSE_MS = 250;
const TAIL_CHARS = 2_000;

/** The returned function ends it. */
export function reportProgress(
  session: CommandSession,
  clock: Clock,
  context: Pick<ToolContext, "update">,
): () => void {
  let isFresh = false;
  let cancelPause: (() => void) | undefined;
  const show = (): void => {
    cancelPause = undefined;
    if (!isFresh) return;
    isFresh = false;
    const { id, pid, startedAt, cwd } = session;
    const tail = session.output.tail(TAIL_CHARS);
    context.update(tail, { status: "running", sessionId: id, pid, startedAt, cwd, tail });
    cancelPause = clock.after(PAUSE_MS, show);
  };
  const cancelWatch = session.onChange(() => {
    isFresh = session.output.hasPending;
    if (!cancelPause) show();
  });
  return () => {
    cancelWatch();
    cancelPause?.();
  };
}
