// Events the gateway sends without being asked, by name.
import type {
  AgentEvent,
  ChangedEvent,
  ChatEvent,
  LogEvent,
  MemoryProgress,
  MethodAnswer,
  SessionEntriesEvent,
  SessionMovedEvent,
} from "@chela/sdk/protocol";

/** A command that waits for somebody's yes. */
export type Approval = MethodAnswer<"exec.approval.list">["pending"][number];

/** `resolvedBy` is the name of a client, or "timeout", "withdrawn", "gateway stopped". */
export interface ApprovalResolved extends Pick<Approval, "id" | "request"> {
  readonly decision: "allow-once" | "allow-always" | "deny";
  readonly resolvedBy: string;
  readonly ts: number;
}

export interface WireEvents {
  agent: AgentEvent;
  chat: ChatEvent;
  changed: ChangedEvent;
  log: LogEvent;
  "session.entries": SessionEntriesEvent;
  "session.moved": SessionMovedEvent;
  "memory.progress": MemoryProgress;
  "search.progress": NonNullable<MethodAnswer<"sessions.search">["indexing"]>;
  "exec.approval.requested": Approval;
  "exec.approval.resolved": ApprovalResolved;
  "device.pair.requested": object;
  "device.pair.resolved": object;
  health: object;
  presence: object;
  shutdown: { readonly reason: string };
}
