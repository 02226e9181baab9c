// Decides by who asks whether a sandbox is required, and how much of the workspace may be seen there.
import {
  conversationKind,
  describeRequester,
  rightsOf,
  type ConversationKind,
  type Requester,
  type WorkspaceAccess,
} from "@chela/sdk";
import type { SandboxSettings } from "./settings.ts";

export type SandboxNeed = { readonly kind: "none" } | { readonly kind: "required"; readonly why: string };

/** As much of a requester as decides about sandboxes. */
export type Asking = Pick<Requester, "standing" | "isOwner" | "work" | "askedIn">;

/** What is looked at, tried and explained for nobody in particular is looked at for the owner. */
export const AS_OWNER: Asking = { standing: "owner", isOwner: true };

export interface NeedQuestion {
  readonly requester: Asking;
  readonly sessionKey: string;
  readonly mainKey: string;
}

/**
 * Where nothing is configured, everything but the owner's main conversation is kept in a sandbox, as soon as this machine
 * was once able to: `isKept` says so. It stays that way, so that a sandbox that breaks is noticed and not left out.
 * Whoever may not know what the workspace holds is never on the machine itself, whatever is configured.
 */
export function needOf(settings: SandboxSettings, question: NeedQuestion, isKept: boolean): SandboxNeed {
  const { requester, sessionKey, mainKey } = question;
  const { host } = rightsOf(requester, sessionKey, mainKey);
  if (host === "never" || (host === "if-off" && !isOff(settings)))
    return { kind: "required", why: whyNever(requester) };
  if (isOff(settings)) return { kind: "none" };
  const mode = settings.mode ?? (isKept ? "non-main" : "off");
  const isMain = conversationKind(sessionKey, mainKey) === "main";
  if (mode === "off" || (mode === "non-main" && isMain)) return { kind: "none" };
  const said = settings.mode === undefined ? "sandbox.mode is not set, which means" : "sandbox.mode is";
  return { kind: "required", why: `${said} "${mode}"` };
}

function whyNever(requester: Asking): string {
  return `it is asked for by ${describeRequester(requester)}, and only what owners ask for runs on this machine itself`;
}

const ORDER: readonly WorkspaceAccess[] = ["none", "ro", "rw"];

/** Where sandboxes are switched off, those who are kept in one all the same have nothing but a folder of their own. */
export function accessOf(
  settings: Pick<SandboxSettings, "mode" | "backend" | "workspaceAccess">,
  { requester, sessionKey, mainKey }: NeedQuestion,
): WorkspaceAccess {
  const { preset, most } = rightsOf(requester, sessionKey, mainKey).workspace;
  return least(settings.workspaceAccess ?? (isOff(settings) ? "none" : preset), most);
}

function isOff({ mode, backend }: Pick<SandboxSettings, "mode" | "backend">): boolean {
  return backend === "host" || mode === "off";
}

function least(one: WorkspaceAccess, other: WorkspaceAccess): WorkspaceAccess {
  return ORDER[Math.min(ORDER.indexOf(one), ORDER.indexOf(other))] ?? "none";
}

/** Conversations with people are kept apart from each other; what an agent does by itself, and for its owner, is one. */
const OWN_WORK: ReadonlySet<ConversationKind> = new Set(["main", "named", "job", "subagent", "heartbeat"]);

export function scopeFor(
  { scope }: Pick<SandboxSettings, "scope">,
  { requester, sessionKey, mainKey }: NeedQuestion,
): "session" | "agent" | "shared" {
  if (scope !== undefined) return scope;
  const keys = [sessionKey, ...(requester.askedIn === undefined ? [] : [requester.askedIn])];
  const isOwn = keys.every((key) => OWN_WORK.has(conversationKind(key, mainKey)));
  return requester.standing === "owner" && isOwn ? "agent" : "session";
}
