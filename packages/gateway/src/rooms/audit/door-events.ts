// Audit events of logins and refused logins, pairings and credentials.
import { defined } from "@chela/sdk/base";
import type { NewAuditEvent } from "./events.ts";

const MOST_CHARS = 200;

export interface LoginFacts {
  readonly actor: string;
  readonly role: string;
  readonly scopes: readonly string[];
  /** How they proved who they are: "token", "device-token", "tailscale" … */
  readonly method: string;
  readonly ip: string;
  readonly client: { readonly id: string; readonly mode: string };
}

export function loginEvent({ actor, role, scopes, method, ip, client }: LoginFacts): NewAuditEvent {
  const detail = { method, scopes, ip, client: short(client.id), mode: short(client.mode) };
  return { action: "login", actor, target: role, outcome: "ok", detail };
}

export interface RefusalFacts {
  readonly surface: "ws" | "http";
  readonly ip: string;
  readonly why: string;
  /** A device that has proved its key, or says that it is this one; not believed. */
  readonly claims?: string | undefined;
  readonly path?: string | undefined;
}

export function refusedLoginEvent({ surface, ip, why, claims, path }: RefusalFacts): NewAuditEvent {
  const said = { ...(claims ? { claims: short(claims) } : {}), ...(path ? { path: short(path) } : {}) };
  const detail = { surface, ip, why: short(why), ...said };
  return { action: "login", actor: `address:${ip}`, target: surface, outcome: "denied", detail };
}

/** A change of who has a key: of a device, a node, or somebody who writes in a chat. */
export interface PairingFacts {
  readonly step: "requested" | "approved" | "rejected" | "removed" | "revoked" | "rotated";
  /** "device:<id>", "node:<id>", "telegram:default:7" */
  readonly target: string;
  readonly actor: string;
  readonly channel?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export function pairingEvent({ step, target, actor, channel, detail }: PairingFacts): NewAuditEvent {
  const outcome = step === "rejected" ? "denied" : "ok";
  return {
    action: "pairing",
    actor,
    target,
    outcome,
    ...defined({ channel }),
    detail: { step, ...detail },
  };
}

/** What was done with a credential; never what it is. */
export interface CredentialFacts {
  readonly step: "added" | "removed" | "verified" | "key rotated" | "imported" | "exported";
  /** Its id; "vault" for all of them. */
  readonly target: string;
  readonly actor: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly isOk?: boolean;
}

export function credentialEvent({ step, target, actor, detail, isOk = true }: CredentialFacts): NewAuditEvent {
  return { action: "credential", actor, target, outcome: isOk ? "ok" : "failed", detail: { step, ...detail } };
}

/** Strangers choose these words. */
function short(text: string): string {
  return text.slice(0, MOST_CHARS);
}
