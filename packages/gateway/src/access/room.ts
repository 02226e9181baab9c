// The access room owns one question: may this sender speak here. It is pure.
export { decideAccess, type AccessDecision, type Sender } from "./decide.ts";
