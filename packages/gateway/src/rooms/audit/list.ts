// A page of the audit trail, for those who look at it.
import { defined } from "@chela/sdk/base";
import type { AuditBase, AuditQuery, AuditRecord, Ledger } from "@chela/sdk";

/** As it is asked over the wire. */
type Maybe<T> = { readonly [K in keyof T]?: T[K] | undefined };
export type AuditQuestion = Maybe<
  Omit<AuditQuery, "limit" | "beforeSeq" | "afterSeq"> & {
    readonly before: number;
    readonly after: number;
    readonly limit: number;
  }
>;

export interface AuditPage {
  readonly records: AuditRecord[];
  readonly hasMore: boolean;
  readonly total: number;
  readonly base: AuditBase;
}

const USUAL_LIMIT = 100;

export async function listAudit(
  ledger: Pick<Ledger, "audit" | "countAudit" | "auditBase">,
  { before, after, order, limit = USUAL_LIMIT, ...asked }: AuditQuestion,
): Promise<AuditPage> {
  const filter = defined(asked);
  const records = await ledger.audit({
    ...filter,
    ...defined({ beforeSeq: before, afterSeq: after, order }),
    // One more than asked for says whether there are more.
    limit: limit + 1,
  });
  const hasMore = records.length > limit;
  return {
    records: records.slice(0, limit),
    hasMore,
    total: await ledger.countAudit(filter),
    base: await ledger.auditBase(),
  };
}
