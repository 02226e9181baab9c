// One rule of a policy: what is allowed, what is denied, and the sentence that says why.
import { below, namesAt, type ConfigPart } from "./config-part.ts";
import type { ToolLists } from "./catalogue.ts";
import { isBuiltIn, matchesEntry, namesBuiltIn, policyName, type NamedTool } from "./entries.ts";

export interface NameList {
  /** Where the list comes from, for people. */
  readonly origin: string;
  /** In the spelling of `policyName`. */
  readonly entries: readonly string[];
}

export type Rule =
  /** Something was configured that cannot be understood, so nothing is allowed. */
  | { readonly kind: "closed"; readonly why: string }
  | {
      readonly kind: "lists";
      /** Absent: everything that is not denied. */
      readonly allow?: NameList;
      readonly deny?: NameList;
      /** Whether an allow list that names no built-in tool takes the built-in ones away all the same. */
      readonly strict?: true;
    };

export interface Ruling {
  readonly verdict: "passed" | "removed";
  readonly why: string;
}

export function listOf(origin: string, names: readonly string[]): NameList {
  return { origin, entries: names.map(policyName) };
}

/** `allow`, `alsoAllow` and `deny` of one place in the configuration, or undefined when it says nothing. */
export function ruleOf(part: ConfigPart): Rule | undefined {
  const allow = namesAt(part, "allow");
  const more = namesAt(part, "alsoAllow");
  const deny = namesAt(part, "deny");
  if (allow === "unreadable" || more === "unreadable" || deny === "unreadable") return closedBy(part);
  if (!allow && !more && !deny) return undefined;
  return {
    kind: "lists",
    ...(allow && allow.length > 0 ? { allow: listOf(`${part.where}.allow`, [...allow, ...(more ?? [])]) } : {}),
    ...(deny ? { deny: listOf(`${part.where}.deny`, deny) } : {}),
  };
}

export function closedBy(part: ConfigPart): Rule {
  const place = part.kind === "object" ? unreadableListOf(part) : part.where;
  return { kind: "closed", why: `${place} cannot be understood, so it allows nothing` };
}

function unreadableListOf(part: ConfigPart): string {
  const key = ["allow", "alsoAllow", "deny"].find((name) => namesAt(part, name) === "unreadable");
  return key ? below(part, key).where : part.where;
}

export function denies(rule: Rule, tool: NamedTool, lists: ToolLists): boolean {
  if (rule.kind === "closed") return true;
  return rule.deny?.entries.some((entry) => matchesEntry(entry, tool, lists)) ?? false;
}

export interface RuleContext {
  readonly lists: ToolLists;
  /** Whether this layer or one before it denies writing files or running commands. */
  readonly patchingDenied: boolean;
}

export function applyRule(rule: Rule, tool: NamedTool, context: RuleContext): Ruling {
  if (rule.kind === "closed") return { verdict: "removed", why: rule.why };
  const denying = rule.deny?.entries.find((entry) => matchesEntry(entry, tool, context.lists));
  if (denying) return { verdict: "removed", why: `${rule.deny?.origin} names "${denying}"` };
  const { allow } = rule;
  if (!allow)
    return { verdict: "passed", why: rule.deny ? `${rule.deny.origin} does not name it` : "nothing is limited" };
  return applyAllowList(allow, tool, { ...context, strict: rule.strict === true });
}

function applyAllowList(allow: NameList, tool: NamedTool, options: RuleContext & { readonly strict: boolean }): Ruling {
  const { lists, strict } = options;
  const allowing = allow.entries.find((entry) => matchesEntry(entry, tool, lists));
  if (allowing) return { verdict: "passed", why: `${allow.origin} names "${allowing}"` };
  if (patchesLikeExec(allow, tool, options)) {
    return { verdict: "passed", why: `${allow.origin} names exec, which could patch files as well` };
  }
  // A list that only adds plugins' tools was never meant to take the built-in ones away.
  if (!strict && isBuiltIn(tool, lists) && !allow.entries.some((entry) => namesBuiltIn(entry, lists))) {
    return { verdict: "passed", why: `${allow.origin} names no built-in tool, so it limits only the others` };
  }
  return { verdict: "removed", why: `${allow.origin} does not name it` };
}

const EXEC: NamedTool = { name: "exec", family: "runtime" };

function patchesLikeExec(allow: NameList, tool: NamedTool, { patchingDenied, lists }: RuleContext): boolean {
  if (policyName(tool.name) !== "apply_patch" || patchingDenied) return false;
  return allow.entries.some((entry) => matchesEntry(entry, EXEC, lists));
}
