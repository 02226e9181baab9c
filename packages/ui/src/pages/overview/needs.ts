// Gathers what needs a person: what waits for somebody, and what only may become a problem.
import { isNear } from "../../parts/chart/budget-meter.ts";
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { Finding } from "../../state/security-audit.ts";
import type { Waiting } from "../../state/waiting.ts";

type Config = MethodAnswer<"config.get">;
type Budget = MethodAnswer<"usage.budgets">["budgets"][number];

export type Doubt =
  | {
      readonly kind: "config";
      readonly tone: "bad" | "warn";
      readonly config: Config;
      readonly issues: Config["issues"];
    }
  | { readonly kind: "budget"; readonly budget: Budget }
  | { readonly kind: "danger"; readonly finding: Finding }
  | { readonly kind: "weak"; readonly findings: readonly Finding[] };

export type Need = Waiting | Doubt;

/** What is known so far; what was not answered is left out. */
export interface KnownDoubts {
  readonly config?: Config | undefined;
  readonly budgets?: readonly Budget[] | undefined;
  readonly findings?: readonly Finding[] | undefined;
}

/** Worth a look, though nobody waits; the worst first. */
export function gatherDoubts({ config, budgets = [], findings = [] }: KnownDoubts): Doubt[] {
  return [
    ...dangers(findings),
    ...configNeeds(config, "bad"),
    ...budgets.filter(({ share }) => isNear(share)).map((budget) => ({ kind: "budget", budget }) as const),
    ...configNeeds(config, "warn"),
    ...weaknesses(findings),
  ];
}

function dangers(findings: readonly Finding[]): Doubt[] {
  return findings
    .filter(({ severity }) => severity === "critical")
    .map((finding) => ({ kind: "danger", finding }) as const);
}

/** What only could be safer is told in one breath. */
function weaknesses(all: readonly Finding[]): Doubt[] {
  const findings = all.filter(({ severity }) => severity === "warning");
  return findings.length > 0 ? [{ kind: "weak", findings }] : [];
}

function configNeeds(config: Config | undefined, tone: "bad" | "warn"): Doubt[] {
  const issues = (tone === "bad" ? config?.issues : config?.warnings) ?? [];
  return config && issues.length > 0 ? [{ kind: "config", tone, config, issues }] : [];
}
