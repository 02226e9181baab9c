// Check of what a gateway answered: one of another version may say something else than this program understands.
import { CommandFailure } from "@chela/sdk/command-line";
import type { MethodAnswer, MethodName } from "@chela/sdk/protocol";

const load = () => import("./answer-schemas.ts");

/** Begins to load what answers are checked with, so that it is there when the first of them comes. */
export function loadAnswerCheck(): void {
  // Who needs it is told why it cannot be loaded.
  load().catch(() => {});
}

/** The answer as it came: what a newer gateway adds to it stays. */
export async function checkAnswer<M extends MethodName>(method: M, answer: unknown): Promise<MethodAnswer<M>> {
  const wrong = (await load()).whatDoesNotFit(method, answer);
  if (wrong === undefined) return answer as MethodAnswer<M>;
  throw new CommandFailure("other", `This program does not understand the gateway's answer to ${method}: ${wrong}.`, {
    fix: "Both should be of the same version: `chela --version` tells that of this program.",
  });
}
