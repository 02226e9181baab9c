// The sessions room owns conversations: their entries, their transcripts, and the lanes their turns wait in.
export { Branches, type SessionTree, type TreeMove, type TreeTarget } from "./branches.ts";
export { parseEntry, type Conversation } from "./conversation.ts";
export { Lanes, type LaneJob } from "./lanes.ts";
export { SessionStore, type OpenedSession } from "./session-store.ts";
export { Transcripts, type EntryBody } from "./transcripts.ts";
export { renderTranscript } from "./render-transcript.ts";
