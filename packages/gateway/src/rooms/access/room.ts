// The access room owns one question: may this sender speak here. Its decisions are pure. `store/` keeps the files behind
// them: who waits to be let in, who was approved, and which id a name stood for when it was first looked up.
export { decideAccess, type AccessDecision, type Sender } from "./decide.ts";
export { decideEvent } from "./decide-event.ts";
export { Introductions } from "./introductions.ts";
export { judgeSpeaking, mayQuote } from "./judge-speaking.ts";
export { readMentionPatterns, type MentionSources, type ReadMentions } from "./mentions.ts";
export { pairingText } from "./pairing-text.ts";
export { readIds, resolveLists, type ListReader, type ReadLists, type WrittenLists } from "./resolve-lists.ts";
export type { AccessRules, AllowLists, EventDecision, MentionRules, Standing } from "./rules.ts";
export { NameBook, type LookUp } from "./store/name-book.ts";
export {
  PairingStore,
  type ApproveOptions,
  type PairingApproved,
  type PairingParts,
  type PairingRejected,
  type PairingRequested,
  type PendingPairing,
} from "./store/pairing-store.ts";
export type { StoreParts } from "./store/shared-file.ts";
