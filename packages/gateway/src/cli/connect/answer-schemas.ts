// Schemas of answers, apart from the rest: they are loaded while a gateway is being waited for.
import { explainIssues, METHODS, type MethodName } from "@chela/sdk/protocol";

/** In words; undefined when everything is as the method declares it. */
export function whatDoesNotFit(method: MethodName, answer: unknown): string | undefined {
  const read = METHODS[method].result().safeParse(answer);
  return read.success ? undefined : explainIssues(read.error.issues, answer);
}
