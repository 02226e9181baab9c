// Methods about what is weak here. The audit is made anew with each question: what it finds depends on files of others.
import { openSecurityAudit } from "../../house/security-audit-facts.ts";
import type { AuditReport } from "../../rooms/security-audit/room.ts";
import type { SECURITY_METHODS, Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type SecurityMethods = Pick<Handlers, keyof typeof SECURITY_METHODS>;
type ShownReport = Awaited<ReturnType<SecurityMethods["security.audit"]>>;

export function securityMethods(gateway: House): SecurityMethods {
  const { config, paths, clock, ledger } = gateway;
  const security = openSecurityAudit({
    config,
    paths,
    clock,
    port: () => gateway.listening.port,
    jobs: () => ledger.jobs(),
    sandbox: () => gateway.sandboxes.status(),
  });
  return {
    "security.audit": async ({ deep = false }) => shown(await security.audit({ deep })),
    async "security.fix"({ ids }) {
      // Whoever names a finding has read what it says.
      const { fixes, report } = await security.fix({ ids, yes: true, deep: false });
      gateway.log.info("security findings fixed", { done: fixes.filter(({ done }) => done).map(({ id }) => id) });
      gateway.changes.note("security");
      return { fixes: [...fixes], report: shown(report) };
    },
  };
}

function shown({ findings, notChecked, ...report }: AuditReport): ShownReport {
  return { ...report, findings: [...findings], notChecked: [...notChecked] };
}
