// The room of the security audit owns the question what is weak here: it puts what was gathered before the checks that parts
// hand in, says what they found, and puts right what can be put right safely. It changes nothing unasked.
export { createSecurityAudit, type AuditReport, type FixOutcome, type SecurityAudit } from "./audit.ts";
export type { Finding } from "./finding.ts";
export { findLooseParents, listEntries, lookAtFiles } from "./private-files.ts";
export { probeGateway } from "./probe.ts";
