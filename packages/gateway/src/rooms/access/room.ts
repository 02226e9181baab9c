// The access room owns one question: may this sender speak here. Its decisions are pure. `store/` keeps the files behind
// them: who waits to be let in, who was approved, and which id a name stood for when it was first looked up.
export { decideAccess, type Sender } from "./decide.ts";
export { decideEvent } from "./decide-event.ts";
export { Introductions } from "./introductions.ts";
export { judgeSpeaking, mayQuote } from "./judge-speaking.ts";
export { readMentionPatterns, type MentionSources } from "./mentions.ts";
export { pairingText } from "./pairing-text.ts";
export { readIds, resolveLists, type ListReader, type ReadLists } from "./resolve-lists.ts";
export type { AccessRules, AllowLists, EventDecision } from "./rules.ts";
export { NameBook, type LookUp } from "./store/name-book.ts";
export {
  PairingStore,
  type PairingApproved,
  type PairingParts,
  type PairingRejected,
  type PairingRequested,
} from "./store/pairing-store.ts";
