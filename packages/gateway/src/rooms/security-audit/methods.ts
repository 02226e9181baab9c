// Methods about what is weak here. The audit is made anew with each question: what it finds depends on files of others.
import type { AuditReport } from "./room.ts";
import type { SECURITY_METHODS, Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type SecurityMethods = Pick<Handlers, keyof typeof SECURITY_METHODS>;
type ShownReport = Awaited<ReturnType<SecurityMethods["security.audit"]>>;

export function securityMethods({
  securityAudit,
  log,
  changes,
}: Pick<House, "securityAudit" | "log" | "changes">): SecurityMethods {
  return {
    "security.audit": async ({ deep = false }) => shown(await (await securityAudit()).audit({ deep })),
    async "security.fix"({ ids }) {
      // Whoever names a finding has read what it says.
      const { fixes, report } = await (await securityAudit()).fix({ ids, yes: true, deep: false });
      log.info("security findings fixed", { done: fixes.filter(({ done }) => done).map(({ id }) => id) });
      changes.note("security");
      return { fixes: [...fixes], report: shown(report) };
    },
  };
}

function shown({ findings, notChecked, ...report }: AuditReport): ShownReport {
  return { ...report, findings: [...findings], notChecked: [...notChecked] };
}
