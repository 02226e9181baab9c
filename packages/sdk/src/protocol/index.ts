// The wire protocol: frames, handshake and methods, shared by the gateway and its clients.
export type * from "./ask.ts";
export * from "./frames.ts";
export * from "./connect.ts";
export * from "./methods.ts";
export * from "./handlers.ts";
export * from "./refused-change.ts";
export * from "./changes.ts";
export * from "./conversation.ts";
export * from "./heartbeat-event.ts";
export * from "./log-event.ts";
export { readLogRecord } from "./log-record.ts";
export * from "./memory-event.ts";
export * from "./search-event.ts";
export { explainIssues } from "./explain-issues.ts";
