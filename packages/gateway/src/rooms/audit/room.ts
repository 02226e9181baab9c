// The audit room owns what is said of what happened: the events of the audit trail, how those are written that are no
// commit of their own, the anchor by which a cut end is noticed, retention, and the check of the whole chain.
export {
  approvalEvent,
  auditChange,
  configEvent,
  deliveryEvent,
  modelEvent,
  toolEvent,
  type ApprovalStep,
  type NewAuditEvent,
  type Whose,
} from "./events.ts";
export { loginEvent, pairingEvent, refusedLoginEvent, type CredentialFacts } from "./door-events.ts";
export type { ExportReport } from "./exported.ts";
export { openAuditKey, readAuditKey, readHead, type AuditKey } from "./head-file.ts";
export { listAudit } from "./list.ts";
export { promptDigest } from "./prompt-digest.ts";
export { AuditTrail } from "./trail.ts";
export type { AuditReport, AuditSource } from "./verify.ts";

/** The check of a whole trail, and files of it; loaded when somebody asks. */
export async function loadAuditCheck() {
  const [{ verifyTrail }, { compareExport, readTrail }] = await Promise.all([
    import("./verify.ts"),
    import("./exported.ts"),
  ]);
  return { verifyTrail, compareExport, readTrail };
}
