// The audit: gathers, checks, and repairs what can be repaired safely.
import { chmodSync, lstatSync } from "node:fs";
import {
  GatewayError,
  type Clock,
  type GatheredFacts,
  type SecurityCheck,
  type SecurityFacts,
  type SecurityRepair,
  type SecuritySeverity,
  type SecurityWeakness,
} from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { sortWeaknesses, toFinding, type Finding } from "./finding.ts";
import { readFacts } from "./read-facts.ts";

export interface AuditReport {
  /** Nothing critical was found. */
  readonly ok: boolean;
  readonly checkedAt: number;
  readonly summary: Readonly<Record<SecuritySeverity, number>>;
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** What nobody looked at, in whole sentences. */
  readonly notChecked: readonly string[];
}

export interface FixOutcome {
  readonly id: string;
  readonly done: boolean;
  /** What was done, or why nothing was. */
  readonly says: string;
}

interface FixReport {
  readonly fixes: readonly FixOutcome[];
  /** How it is now. */
  readonly report: AuditReport;
}

export interface SecurityAuditParts {
  readonly clock: Clock;
  /** `deep`: the running gateway is tried from outside too. */
  gather(options: { readonly deep: boolean }): Promise<GatheredFacts>;
  /** What is asked, in order. */
  checks(): Promise<readonly SecurityCheck[]>;
  setConfig(path: string, value: unknown): void;
  unsetConfig(path: string): void;
}

interface FixWish {
  /** Absent: everything that can be repaired. */
  readonly ids?: readonly string[];
  /** Also what changes something somebody asked for. */
  readonly yes: boolean;
  readonly deep: boolean;
}

export interface SecurityAudit {
  audit(options: { readonly deep: boolean }): Promise<AuditReport>;
  /** Done one after the other; one that fails does not keep the others from it. */
  fix(wish: FixWish): Promise<FixReport>;
}

const VERSION_NOT_CHECKED =
  "Whether a newer version of Chela exists: the audit asks nobody on the internet. Compare `chela --version` with its releases.";
const PROBE_NOT_ASKED = "What the running gateway answers to strangers: add --deep to try it.";
const PROBE_NOT_POSSIBLE = "What the running gateway answers to strangers: none answers at its port.";
const WALLS_NOT_CHECKED = "Whether the walls of the sandbox hold: `chela sandbox selftest` tries them.";
const SANDBOX_NOT_CHECKED =
  "Whether commands are kept in a sandbox here, and whether its walls hold: `chela sandbox status` and `chela sandbox selftest` tell.";

export function createSecurityAudit(parts: SecurityAuditParts): SecurityAudit {
  const look = async (deep: boolean): Promise<{ found: SecurityWeakness[]; report: AuditReport }> => {
    const facts = readFacts(await parts.gather({ deep }));
    const found = sortWeaknesses((await parts.checks()).flatMap((check) => check.look(facts)));
    return { found, report: reportOf(found, facts, { deep, at: parts.clock.now() }) };
  };
  return {
    audit: async ({ deep }) => (await look(deep)).report,
    async fix({ ids, yes, deep }) {
      const { found } = await look(false);
      const wanted =
        ids === undefined ? found.filter(({ repair }) => repair) : found.filter(({ id }) => ids.includes(id));
      const unknown = (ids ?? []).filter((id) => !found.some((weakness) => weakness.id === id));
      const fixes = [
        ...wanted.map((weakness) => carryOut(weakness, yes, parts)),
        ...unknown.map((id) => ({ id, done: false, says: "This is not, or no longer, among the findings." })),
      ];
      return { fixes, report: (await look(deep)).report };
    },
  };
}

function reportOf(
  found: readonly SecurityWeakness[],
  facts: SecurityFacts,
  { deep, at }: { readonly deep: boolean; readonly at: number },
): AuditReport {
  const amount = (severity: SecuritySeverity): number =>
    found.filter((weakness) => weakness.severity === severity).length;
  const summary = { critical: amount("critical"), warning: amount("warning"), info: amount("info") };
  const probe = facts.probe ? [] : [deep ? PROBE_NOT_POSSIBLE : PROBE_NOT_ASKED];
  return {
    ok: summary.critical === 0,
    checkedAt: at,
    summary,
    findings: found.map(toFinding),
    notChecked: [...probe, facts.sandbox ? WALLS_NOT_CHECKED : SANDBOX_NOT_CHECKED, VERSION_NOT_CHECKED],
  };
}

function carryOut({ id, repair, asksFirst }: SecurityWeakness, yes: boolean, parts: SecurityAuditParts): FixOutcome {
  if (!repair) return { id, done: false, says: "This needs a decision of yours; the finding says what to do." };
  if (asksFirst && !yes)
    return { id, done: false, says: "It changes something that somebody switched on: add --yes to do it." };
  try {
    return { id, ...apply(repair, parts) };
  } catch (error) {
    const why = GatewayError.is(error) ? error.message : (errnoOf(error) ?? "the reason is not known");
    return { id, done: false, says: `It did not work: ${why}` };
  }
}

function apply(repair: SecurityRepair, { setConfig, unsetConfig }: SecurityAuditParts): Omit<FixOutcome, "id"> {
  if (repair.kind === "modes") return closeFiles(repair.files);
  if (repair.value === undefined) unsetConfig(repair.path);
  else setConfig(repair.path, repair.value);
  const what = repair.value === undefined ? "taken out of the configuration" : "changed";
  return { done: true, says: `${repair.path} is ${what}; a copy of the old file is kept beside it.` };
}

function closeFiles(files: Extract<SecurityRepair, { kind: "modes" }>["files"]): Omit<FixOutcome, "id"> {
  // What a link leads to may be meant for others.
  const own = files.filter(({ path }) => !lstatSync(path).isSymbolicLink());
  if (own.length < files.length)
    return { done: false, says: "It is a link, and what it leads to may be meant for others: change that yourself." };
  for (const { path, mode } of own) chmodSync(path, mode);
  const what = own.length === 1 ? `${own[0]?.path} is` : `${own.length} files are`;
  return { done: true, says: `${what} closed to other users now.` };
}
