// Whether a conversation must be kept in a sandbox, and how much of the workspace it may see there.
import type { SandboxSettings, WorkspaceAccess } from "./settings.ts";

export type SandboxNeed = { readonly kind: "none" } | { readonly kind: "required"; readonly why: string };

/**
 * Where nothing is configured, every conversation but the main one is kept in a sandbox, as soon as this machine was
 * once able to: `isKept` says so. It stays that way, so that a sandbox that breaks is noticed and not left out.
 */
export function needOf(settings: SandboxSettings, isMain: boolean, isKept: boolean): SandboxNeed {
  if (settings.backend === "host") return { kind: "none" };
  const mode = settings.mode ?? (isKept ? "non-main" : "off");
  if (mode === "off" || (mode === "non-main" && isMain)) return { kind: "none" };
  const said = settings.mode === undefined ? "sandbox.mode is not set, which means" : "sandbox.mode is";
  return { kind: "required", why: `${said} "${mode}"` };
}

/** The main conversation of an agent is its owner's own. */
export function isMainSession(sessionKey: string, mainKey: string): boolean {
  const [kind, , ...rest] = sessionKey.split(":");
  return sessionKey === "global" || (kind === "agent" && rest.length === 1 && rest[0] === mainKey);
}

const ORDER: readonly WorkspaceAccess[] = ["none", "ro", "rw"];

/**
 * Jobs, sub-agents and conversations that the owner named work on the workspace; people in chats, and whatever comes in
 * by webhooks, do not.
 * `parents` are the sandboxed conversations that started this one; none of them passes on more than it has.
 */
export function accessOf(
  sessionKey: string,
  written: WorkspaceAccess | undefined,
  parents: readonly string[],
): WorkspaceAccess {
  const own = written ?? (isOwnWork(sessionKey) ? "rw" : "none");
  const above = parents.map((parent) => written ?? (isOwnWork(parent) ? "rw" : "none"));
  return ORDER[Math.min(...[own, ...above].map((access) => ORDER.indexOf(access)))] ?? "none";
}

function isOwnWork(sessionKey: string): boolean {
  // A name alone is given at our own door; those of chats say where they are.
  return /^agent:[^:]+:(?:[^:]+$|(?:cron|subagent|heartbeat):)/.test(sessionKey);
}
