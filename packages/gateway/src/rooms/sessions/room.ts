// The sessions room owns conversations: their entries, their transcripts, and the lanes their turns wait in.
export { Branches, type TreeTarget } from "./branches.ts";
export { parseEntry, type Conversation } from "./conversation.ts";
export { Lanes, type LaneJob } from "./lanes.ts";
export { isSteering, queueRule, queueSettings, type QueueRule, type QueueSettings } from "./queue-rules.ts";
export { isStale, resetRuleFor, resetTypeOf, type OffsetAt, type ResetRule, type ResetView } from "./reset-rules.ts";
export { sendPolicyFor, type PolicedSession, type SendPolicyView } from "./send-policy.ts";
export { SessionStore, type OpenedSession } from "./session-store.ts";
export { Transcripts, type EntryBody } from "./transcripts.ts";
export { renderTranscript } from "./render-transcript.ts";
export { EMPTY_TIP, extendTip, type PathTip } from "./path-tip.ts";
export { SessionPaths, type PlacedEntry } from "./session-paths.ts";
