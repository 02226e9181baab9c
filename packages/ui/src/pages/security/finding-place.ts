// Place of a finding: in the configuration, or something else.
import type { Finding } from "../../state/security-audit.ts";

/** The section of the configuration it lies in; undefined for files, variables and programs. */
export function sectionOf({ where }: Pick<Finding, "where">): string | undefined {
  return /^(?:budgets$|[a-z]\w*(?=[.[]))/.exec(where)?.[0];
}
