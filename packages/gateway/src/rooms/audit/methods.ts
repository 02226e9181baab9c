// Methods that show the audit trail and check it.
import { listAudit } from "./room.ts";
import type { AUDIT_METHODS, Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type AuditMethods = Pick<Handlers, keyof typeof AUDIT_METHODS>;

export function auditMethods({ audit, ledger }: House): AuditMethods {
  return {
    async "audit.list"(asked) {
      await audit.flush().catch(() => {});
      const { records, ...rest } = await listAudit(ledger, asked);
      return { ...rest, base: { ...rest.base }, records: records.map((record) => ({ ...record })) };
    },

    async "audit.verify"() {
      const { problems, ...report } = await audit.verify();
      return { ...report, problems: problems.map((problem) => ({ ...problem })) };
    },
  };
}
