// Methods for security: what is weak here, and putting right what can be put right safely.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { NonEmpty } from "../../frames.ts";
import { flag, type MethodSpec } from "../method-spec.ts";

const SecurityFinding = () =>
  z.object({
    /** The check, and the place when a check can find several. */
    id: z.string(),
    severity: z.enum(["critical", "warning", "info"]),
    title: z.string(),
    /** What may happen, in one sentence. */
    risk: z.string(),
    /** A place of the configuration, a file, or an environment variable. */
    where: z.string(),
    /** What to do; a command where there is one. */
    fix: z.string(),
    /** `security.fix` can do it. */
    fixable: z.boolean(),
    /** The fix changes what somebody may have wanted: ask them before `security.fix` is called. */
    asksFirst: z.boolean(),
  });

const SecurityReport = () =>
  z.object({
    /** Nothing critical was found. */
    ok: z.boolean(),
    checkedAt: z.number(),
    summary: z.object({ critical: z.int(), warning: z.int(), info: z.int() }),
    /** The worst first. */
    findings: z.array(SecurityFinding()),
    /** What nobody looked at, in whole sentences. */
    notChecked: z.array(z.string()),
  });

export const SECURITY_METHODS = {
  "security.audit": {
    role: "operator",
    // A list of weak places is nothing for those who only look.
    scope: "operator.admin",
    says: "What is weak here: each finding with its risk and its fix; `deep` also tries the port as a stranger would",
    params: once(() => z.strictObject({ deep: flag() })),
    result: once(SecurityReport),
  },
  "security.fix": {
    role: "operator",
    scope: "operator.admin",
    controlPlane: true,
    says: "Puts findings right that can be put right safely, and tells how it is then",
    params: once(() => z.strictObject({ ids: z.array(NonEmpty().max(8192)).min(1).max(1000) })),
    result: once(() =>
      z.object({
        fixes: z.array(z.object({ id: z.string(), done: z.boolean(), says: z.string() })),
        report: SecurityReport(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
