// Ends of a stream of events.
import { noUsage, type ModelEvent } from "@chela/sdk";

export function abortedEvent(): ModelEvent {
  return { kind: "finish", stopReason: "aborted", usage: noUsage() };
}

/** No name is this long. */
const MOST_ID_CHARS = 200;

/** The provider's own name of its answer, where it has one that is of use. */
export function namedAnswer(id: unknown): { readonly responseId?: string } {
  return typeof id === "string" && id !== "" && id.length <= MOST_ID_CHARS ? { responseId: id } : {};
}

export function isEnd(event: ModelEvent): boolean {
  return event.kind === "finish" || event.kind === "failure";
}
