// How a stream of events may end.
import { noUsage, type ModelEvent } from "@chela/sdk";

export function abortedEvent(): ModelEvent {
  return { kind: "finish", stopReason: "aborted", usage: noUsage() };
}

export function isEnd(event: ModelEvent): boolean {
  return event.kind === "finish" || event.kind === "failure";
}
