// The room of the security audit owns the question what is weak here: what is looked at, what is said of it, and which of it
// can be put right safely. It reads files of the state directory; all else is handed to it. It changes nothing unasked.
export { createSecurityAudit, type AuditReport, type FixOutcome, type SecurityAudit } from "./audit.ts";
export type { AllowedProgram, ApprovalsFacts, SecurityFacts } from "./facts.ts";
export type { Finding } from "./finding.ts";
export { findLooseParents, listEntries, lookAtFiles } from "./private-files.ts";
export { probeGateway } from "./probe.ts";
